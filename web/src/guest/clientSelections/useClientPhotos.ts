import { useCallback, useEffect, useReducer, useRef } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { retryWhenRateLimited } from '../search/retryWhenRateLimited';
import { type ClientPhoto, fetchPhotos } from './calls';

interface State {
  photos: readonly ClientPhoto[];
  /** The cursor of the next page; null when all are loaded. */
  next: string | null;
  loading: boolean;
  failure: string | null;
  /** When the oldest of the pages came, whose links expire first; in milliseconds since the epoch. */
  receivedAt: number;
}

type Action =
  | { type: 'started'; fromStart: boolean }
  | { type: 'loaded'; photos: readonly ClientPhoto[]; next: string | null; receivedAt: number }
  | { type: 'failed'; text: string };

const nothing: State = { photos: [], next: null, loading: true, failure: null, receivedAt: 0 };

function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'started':
      return action.fromStart ? nothing : { ...state, loading: true, failure: null };
    case 'loaded': {
      const known = new Set(state.photos.map(({ photo_id: id }) => id));
      return {
        photos: [...state.photos, ...action.photos.filter(({ photo_id: id }) => !known.has(id))],
        next: action.next,
        loading: false,
        failure: null,
        receivedAt: state.receivedAt || action.receivedAt,
      };
    }
    case 'failed':
      return { ...state, loading: false, failure: action.text };
  }
}

/** The photos of a selection page by page, or those that were chosen when they are asked for. */
export function useClientPhotos(
  secret: string,
  chosen: boolean,
  onPage: (photos: readonly ClientPhoto[]) => void,
) {
  const [state, dispatch] = useReducer(reduce, nothing);
  const running = useRef<AbortController | null>(null);
  const load = useCallback(
    async (cursor: string | null) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      dispatch({ type: 'started', fromStart: cursor === null });
      try {
        const { photos, next_cursor: next = null } = await retryWhenRateLimited(
          () => fetchPhotos(secret, chosen, cursor, controller.signal),
          () => undefined,
          controller.signal,
        );
        if (controller.signal.aborted) return;
        onPage(photos);
        dispatch({ type: 'loaded', photos, next, receivedAt: Date.now() });
      } catch (error) {
        if (!controller.signal.aborted)
          dispatch({ type: 'failed', text: errorMessage(error, String(error)) });
      }
    },
    [secret, chosen, onPage],
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
