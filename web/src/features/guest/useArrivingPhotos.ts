import { useEffect, useRef } from 'react';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { ApiError } from '../../shared/api/errors';
import { idOf, type Indexing } from './matches';
import { searchFaces } from './requests';
import type { FaceSearch } from './useFaceSearch';

/** Milliseconds between two quiet searches: a whole venue may share one address and its limit. */
export const quietInterval = 30_000;

/**
 * While photos are still being indexed, looks for new ones of the same person with the selfie that is in memory.
 * `indexing` is how far the event is now; it changes as the page looks at the event again.
 */
export function useArrivingPhotos(slug: string, search: FaceSearch, indexing: Indexing): void {
  const { state, join } = search;
  const show = useSnackbar();
  const nextAt = useRef(0);
  const waiting =
    state.phase === 'results' || (state.phase === 'failed' && state.failure.code === 'no_matches')
      ? state
      : null;
  const behind =
    waiting?.answer !== null && waiting !== null && waiting.answer.indexing.indexed < indexing.indexed;

  useEffect(() => {
    if (!behind) return undefined;
    const controller = new AbortController();
    const { query, answer } = waiting;
    const look = async () => {
      nextAt.current = Date.now() + quietInterval;
      try {
        const later = await searchFaces(slug, query, controller.signal);
        if (controller.signal.aborted) return;
        const known = new Set(answer?.matches.map(idOf));
        const fresh = later.matches.filter((match) => !known.has(idOf(match))).length;
        join(query, later);
        if (fresh > 0) show({ tone: 'success', text: `${fresh} new photos of you.` });
      } catch (error) {
        // Nobody asked for this search, so nobody hears that it failed; the next look comes by itself.
        if (error instanceof ApiError && error.status === 429) nextAt.current += 4 * quietInterval;
      }
    };
    const lastAt = answer?.receivedAt ?? 0;
    const wait = Math.max(0, nextAt.current - Date.now(), lastAt + quietInterval - Date.now());
    const timer = setTimeout(() => void look(), wait);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [behind, waiting, slug, join, show]);
}
