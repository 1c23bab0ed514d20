import { useCallback, useEffect, useReducer, useRef } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { type Album, type Match, matchId } from '../search/matches';
import { retryWhenRateLimited } from '../search/retryWhenRateLimited';
import { fetchPhotoPage, type PhotoPage } from './photoPages';

export interface AllPhotos {
  photos: readonly Match[];
  /** Of the whole event, also while those of an album are shown. */
  albums: readonly Album[];
  /** How many there are, with those that are not loaded yet; null until it is known. */
  total: number | null;
  /** The cursor of the next page; null when all are loaded. */
  next: string | null;
  loading: boolean;
  /** Why the last page could not be loaded; null when it could. */
  failure: string | null;
  /** When the oldest of the pages came, whose links expire first; in milliseconds since the epoch. */
  receivedAt: number;
}

type Action =
  | { type: 'started'; fromStart: boolean }
  | { type: 'loaded'; page: PhotoPage }
  | { type: 'failed'; text: string };

const nothing: AllPhotos = {
  photos: [],
  albums: [],
  total: null,
  next: null,
  loading: true,
  failure: null,
  receivedAt: 0,
};

function reduce(state: AllPhotos, action: Action): AllPhotos {
  switch (action.type) {
    case 'started':
      return action.fromStart
        ? { ...nothing, albums: state.albums }
        : { ...state, loading: true, failure: null };
    case 'loaded': {
      const { photos, overview, next, receivedAt } = action.page;
      // A photo that was taken in between is on two pages.
      const known = new Set(state.photos.map(matchId));
      return {
        photos: [...state.photos, ...photos.filter((photo) => !known.has(matchId(photo)))],
        albums: overview?.albums ?? state.albums,
        total: overview?.total ?? state.total,
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

/** All photos of an event, or of an album of it, page by page. */
export function useAllPhotos(slug: string, album: string | null) {
  const [state, dispatch] = useReducer(reduce, nothing);
  const running = useRef<AbortController | null>(null);
  const load = useCallback(
    async (cursor: string | null) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      dispatch({ type: 'started', fromStart: cursor === null });
      try {
        const page = await retryWhenRateLimited(
          () => fetchPhotoPage(slug, album, cursor, controller.signal),
          () => undefined,
          controller.signal,
        );
        if (!controller.signal.aborted) dispatch({ type: 'loaded', page });
      } catch (error) {
        if (!controller.signal.aborted)
          dispatch({ type: 'failed', text: errorMessage(error, String(error)) });
      }
    },
    [slug, album],
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
