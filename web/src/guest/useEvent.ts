import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { ApiError } from '../platform/api/errors';
import type { PublicEvent } from '../platform/api/types';
import { request } from './request';

/** Milliseconds between two questions while photos are being indexed. */
const indexingInterval = 10_000;
/** The least and the most otherwise: another batch may come as long as the evening lasts. The pages of a venue spread. */
const leastInterval = 30_000;
const mostInterval = 60_000;

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
  return leastInterval + Math.random() * (mostInterval - leastInterval);
}

/**
 * The event of a slug, asked for again until it is there; then how far its photos are, for as long as the page is looked at.
 * What is `known` of it is shown until the first answer.
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

  const answered = useRef<PublicEvent | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      const known = answered.current;
      const path = `/api/events/${encodeURIComponent(slug)}`;
      const ask = <Body>(call: string) => request<Body>(call, { signal }, t`The event could not be loaded`);
      try {
        // The browser asks whether its copy is still right, and gets a 304 without body where it is.
        const event =
          known === null
            ? await ask<PublicEvent>(path)
            : { ...known, indexing: await ask<PublicEvent['indexing']>(`${path}/indexing`) };
        if (signal.aborted) return;
        answered.current = event;
        setLoaded({ event, missing: false, failures: 0 });
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
    // A page that nobody looks at asks when it is looked at again.
    const askIfVisible = () => {
      if (document.visibilityState === 'visible') ask();
    };
    const timer = setTimeout(askIfVisible, pause);
    return () => clearTimeout(timer);
  }, [loaded]);

  // All of the event: its photographer may have changed more than photos since.
  const askAgain = useCallback(() => {
    answered.current = null;
    ask();
  }, []);
  useEffect(() => {
    const askWhenVisible = () => {
      if (document.visibilityState === 'visible') askAgain();
    };
    window.addEventListener('online', askAgain);
    document.addEventListener('visibilitychange', askWhenVisible);
    return () => {
      window.removeEventListener('online', askAgain);
      document.removeEventListener('visibilitychange', askWhenVisible);
    };
  }, [askAgain]);

  return { ...loaded, late: late && unknown, askAgain };
}
