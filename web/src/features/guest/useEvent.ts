import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useReducer, useState } from 'react';
import { ApiError } from '../../shared/api/errors';
import type { PublicEvent } from '../../shared/api/types';
import { request } from './request';

/** Milliseconds between two questions while photos are being indexed, and while there are none yet. */
const indexingInterval = 10_000;
const emptyInterval = 30_000;

/** Milliseconds: the first pause after which an event that could not be loaded is asked for again, and the longest. */
const firstPause = 2000;
const longestPause = 30_000;

/** Milliseconds after which the guest is told that there is no answer yet. */
export const lateAnswer = 5000;

export interface LoadedEvent {
  /** The last answer; it stays when a later question fails, so that the guest does not lose the results. */
  event: PublicEvent | null;
  /** There is no such event, or no longer. */
  missing: boolean;
  /** How many questions have failed since the last answer. */
  failures: number;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** How long to wait before the next question; null for ever. */
function pauseOf({ event, missing, failures }: LoadedEvent): number | null {
  if (missing) return null;
  if (failures > 0) return Math.min(firstPause * 2 ** (failures - 1), longestPause);
  if (event === null) return null;
  if (event.indexing.waiting > 0) return indexingInterval;
  return event.indexing.total === 0 ? emptyInterval : null;
}

/**
 * The event of a slug, asked for again until it is there, and while its photos are on their way. What is `known` of it is
 * shown until the first answer.
 */
export function useEvent(
  slug: string,
  known: PublicEvent | null,
): LoadedEvent & { late: boolean; askAgain: () => void } {
  const [loaded, setLoaded] = useState<LoadedEvent>({ event: known, missing: false, failures: 0 });
  const [question, ask] = useReducer((count: number) => count + 1, 0);
  const [late, setLate] = useState(false);
  const unknown = loaded.event === null && !loaded.missing;
  useEffect(() => {
    if (!unknown) return undefined;
    const timer = setTimeout(() => setLate(true), lateAnswer);
    return () => clearTimeout(timer);
  }, [unknown]);

  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const event = await request<PublicEvent>(
          `/api/events/${encodeURIComponent(slug)}`,
          { signal: controller.signal },
          t`The event could not be loaded`,
        );
        if (!controller.signal.aborted) setLoaded({ event, missing: false, failures: 0 });
      } catch (error) {
        if (controller.signal.aborted) return;
        setLoaded(({ event, failures }) => ({ event, missing: isMissing(error), failures: failures + 1 }));
      }
    };
    void load();
    return () => controller.abort();
  }, [slug, question]);

  useEffect(() => {
    const pause = pauseOf(loaded);
    if (pause === null) return undefined;
    const timer = setTimeout(ask, pause);
    return () => clearTimeout(timer);
  }, [loaded]);

  useEffect(() => {
    const askWhenVisible = () => {
      if (document.visibilityState === 'visible') ask();
    };
    window.addEventListener('online', ask);
    document.addEventListener('visibilitychange', askWhenVisible);
    return () => {
      window.removeEventListener('online', ask);
      document.removeEventListener('visibilitychange', askWhenVisible);
    };
  }, []);

  const askAgain = useCallback(() => ask(), []);
  return { ...loaded, late: late && unknown, askAgain };
}
