import { useCallback, useEffect, useReducer, useRef } from 'react';
import { errorMessage } from '../platform/api/errors';
import { retryWhenRateLimited } from './search/retryWhenRateLimited';

/** Some of the photos of a list. */
export interface Page<Photo> {
  photos: readonly Photo[];
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** Milliseconds since the epoch; the links in it expire. */
  receivedAt: number;
}

export interface Pages<Photo, Of extends Page<Photo>> {
  photos: readonly Photo[];
  /** Null until it is there. */
  first: Of | null;
  /** The cursor of the next page; null when all are loaded. */
  next: string | null;
  loading: boolean;
  /** Why the last page could not be loaded; null when it could. */
  failure: string | null;
  /** When the oldest of the pages came, whose links expire first; in milliseconds since the epoch. */
  receivedAt: number;
}

type Action<Of> =
  { type: 'started'; fromStart: boolean } | { type: 'loaded'; page: Of } | { type: 'failed'; text: string };

const nothing = { photos: [], first: null, next: null, loading: true, failure: null, receivedAt: 0 };

function reduce<Photo, Of extends Page<Photo>>(
  state: Pages<Photo, Of>,
  action: Action<Of>,
  idOf: (photo: Photo) => string,
): Pages<Photo, Of> {
  switch (action.type) {
    case 'started':
      return action.fromStart ? nothing : { ...state, loading: true, failure: null };
    case 'loaded': {
      const { photos, next, receivedAt } = action.page;
      // A photo that was taken in between is on two pages.
      const known = new Set(state.photos.map(idOf));
      return {
        photos: [...state.photos, ...photos.filter((photo) => !known.has(idOf(photo)))],
        first: state.first ?? action.page,
        next,
        loading: false,
        failure: null,
        receivedAt: state.receivedAt || receivedAt,
      };
    }
    case 'failed':
      return { ...state, loading: false, failure: action.text };
  }
}

/** Photos page by page, from the start again whenever `fetchPage` is another function; `onPage` hears of each page as it comes. */
export function usePhotoPages<Photo, Of extends Page<Photo>>(
  fetchPage: (cursor: string | null, signal: AbortSignal) => Promise<Of>,
  idOf: (photo: Photo) => string,
  onPage: (page: Of) => void,
) {
  const [state, dispatch] = useReducer(
    (now: Pages<Photo, Of>, action: Action<Of>) => reduce(now, action, idOf),
    nothing,
  );
  const running = useRef<AbortController | null>(null);
  const load = useCallback(
    async (cursor: string | null) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      dispatch({ type: 'started', fromStart: cursor === null });
      try {
        const page = await retryWhenRateLimited(
          () => fetchPage(cursor, controller.signal),
          () => undefined,
          controller.signal,
        );
        if (controller.signal.aborted) return;
        onPage(page);
        dispatch({ type: 'loaded', page });
      } catch (error) {
        if (!controller.signal.aborted)
          dispatch({ type: 'failed', text: errorMessage(error, String(error)) });
      }
    },
    [fetchPage, onPage],
  );
  useEffect(() => {
    void load(null);
    return () => running.current?.abort();
  }, [load]);
  const { loading, failure, next } = state;
  const loadMore = useCallback(() => {
    if (!loading && failure === null && next !== null) void load(next);
  }, [load, loading, failure, next]);
  return {
    ...state,
    loadMore,
    /** Asks again for the page that could not be loaded. */
    tryAgain: () => void load(state.photos.length === 0 ? null : next),
    /** Loads all of them again, with links that are fresh. */
    reload: () => void load(null),
  };
}
