import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useSnackbar } from '../../../shared/components/useSnackbar';
import { storedPreview, storedSearch } from '../../../shared/storage';
import { prepareSelfie } from '../capture/selfies';
import { searchFaces, searchFailureOf } from './api';
import type { SearchResult } from './matches';
import { retryWhenRateLimited } from './retryWhenRateLimited';
import { restoreSearch, saveSearch } from './savedSearch';
import {
  matchesText,
  maxSelfies,
  queryOf,
  type SearchQuery,
  searchReducer,
  type SearchState,
  stateAfterResult,
  type Strictness,
} from './search';

export interface FaceSearch {
  state: SearchState;
  /** The number of searches completed since the page was loaded, so that the page can scroll to new results. */
  completedSearches: number;
  /** Searches with a file, a capture or a data URL; together with the previous selfies if one is being added. */
  submit: (image: unknown) => Promise<void>;
  chooseFace: (face: number) => void;
  setStrictness: (strictness: Strictness) => void;
  searchAgain: () => void;
  /** Merges photos of a background search. */
  mergeResult: (query: SearchQuery, result: SearchResult) => void;
  /** Repeats the search in the background for fresh links; returns the new token of the ZIP. */
  renewDownloadToken: (signal: AbortSignal) => Promise<string | null>;
  addSelfie: () => void;
  cancelCapture: () => void;
  reset: () => void;
}

/** The face search of one event; its results are saved in session storage. */
export function useFaceSearch(slug: string): FaceSearch {
  const stores = useMemo(() => ({ search: storedSearch(slug), preview: storedPreview(slug) }), [slug]);
  const [state, dispatch] = useReducer(searchReducer, stores, restoreSearch);
  const [completedSearches, setCompletedSearches] = useState(0);
  const running = useRef<AbortController | null>(null);
  const show = useSnackbar();

  useEffect(() => saveSearch(stores, state), [stores, state]);
  useEffect(() => () => running.current?.abort(), []);

  const showOutcome = useCallback(
    (query: SearchQuery, result: SearchResult) => {
      const outcome = stateAfterResult(query, result);
      if (outcome.phase === 'results') show({ tone: 'success', text: matchesText(result.matches.length) });
      if (outcome.phase === 'failed') show({ tone: 'error', text: outcome.failure.text });
      setCompletedSearches((count) => count + 1);
    },
    [show],
  );

  const run = useCallback(
    async (query: SearchQuery) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      dispatch({ type: 'submitted', query });
      try {
        const result = await retryWhenRateLimited(
          () => searchFaces(slug, query, controller.signal),
          (retryAt) => dispatch({ type: 'postponed', query, retryAt }),
          controller.signal,
        );
        if (controller.signal.aborted) return;
        dispatch({ type: 'succeeded', query, result });
        showOutcome(query, result);
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = searchFailureOf(error);
        dispatch({ type: 'failed', query, failure });
        show({ tone: 'error', text: failure.text });
      }
    },
    [slug, show, showOutcome],
  );

  const query = queryOf(state);
  const searchWith = (change: Partial<SearchQuery>) => {
    if (query !== null) void run({ ...query, ...change });
  };

  return {
    state,
    completedSearches,
    submit: async (image) => {
      try {
        const selfie = await prepareSelfie(image);
        const kept = state.phase === 'capture' ? (state.previous?.query ?? null) : null;
        await run(
          kept === null
            ? { selfies: [selfie], face: null, strictness: query?.strictness ?? 'normal' }
            : { ...kept, selfies: [...kept.selfies, selfie].slice(0, maxSelfies) },
        );
      } catch (error) {
        if (error instanceof Error) show({ tone: 'error', text: error.message });
      }
    },
    chooseFace: (face) => {
      if (state.phase !== 'choosing') return;
      if (face > 0) {
        searchWith({ face });
        return;
      }
      dispatch({ type: 'faceConfirmed' });
      showOutcome({ ...state.query, face: 0 }, state.result);
    },
    setStrictness: (strictness) => searchWith({ strictness }),
    searchAgain: () => searchWith({}),
    mergeResult: useCallback((asked, result) => dispatch({ type: 'merged', query: asked, result }), []),
    renewDownloadToken: async (signal) => {
      if (query === null) return null;
      const result = await searchFaces(slug, query, signal);
      dispatch({ type: 'merged', query, result });
      return result.downloadToken;
    },
    addSelfie: () => dispatch({ type: 'selfieRequested' }),
    cancelCapture: () => dispatch({ type: 'captureCancelled' }),
    reset: () => {
      running.current?.abort();
      dispatch({ type: 'reset' });
      show(null);
    },
  };
}
