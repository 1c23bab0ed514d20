import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useSnackbar } from '../../ui/useSnackbar';
import { storedPreview, storedSearch } from '../../platform/storage/storage';
import { removeResultsToken, resultsTokenOf } from '../downloads/resultsLink';
import type { Renewed } from '../downloads/zips';
import { fetchResults, searchFaces, searchFailureOf } from './searchFaces';
import { type Match, matchId, type SearchResult } from './matches';
import { retryWhenRateLimited } from './retryWhenRateLimited';
import { restoreSearch, saveSearch } from './savedSearch';
import {
  type CompletedSearch,
  isRepeatable,
  matchesText,
  maxSelfies,
  previousOf,
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
  /** Searches with a query of its own. */
  find: (query: SearchQuery) => void;
  chooseFace: (face: number) => void;
  setStrictness: (strictness: Strictness) => void;
  searchAgain: () => void;
  /** The same without saying what was found, where it is shown together with that of another search. */
  repeatQuietly: (change: { strictness?: Strictness }) => void;
  /** Stops the running search, and returns to what was there before it. */
  cancel: () => void;
  /** Merges photos of a background search. */
  mergeResult: (query: SearchQuery, result: SearchResult) => void;
  /** Takes a photo out of the results of this search: the guest is not in it. */
  reject: (match: Match) => void;
  /** Puts a photo that was taken out back to where it was. */
  restore: (match: Match, at: number) => void;
  /** Repeats the search in the background for fresh links; returns what its ZIP can have, null without a selfie. */
  renewDownloadTokens: (signal: AbortSignal) => Promise<Renewed | null>;
  addSelfie: () => void;
  /** Shows the last results again. */
  showPrevious: () => void;
  /** Leaves the results, and forgets what was saved of them. */
  reset: () => void;
}

export const unchangedText = (): string => t`No other photos were found.`;

const samePhotos = (one: SearchResult, other: SearchResult): boolean => {
  const ids = new Set(one.matches.map(matchId));
  return ids.size === other.matches.length && other.matches.every((match) => ids.has(matchId(match)));
};

/**
 * A face search of one event; its results are saved in session storage under the key. `aside`: of somebody else, beside the
 * guest's own. The page shows how many photos there are of both, and a search without any is saved too.
 */
export function useFaceSearch(slug: string, key = slug, aside = false): FaceSearch {
  const stores = useMemo(
    () => ({ search: storedSearch(key), preview: storedPreview(key), keepsEmpty: aside }),
    [key, aside],
  );
  const [state, dispatch] = useReducer(searchReducer, stores, restoreSearch);
  const [completedSearches, setCompletedSearches] = useState(0);
  const running = useRef<AbortController | null>(null);
  const show = useSnackbar();

  useEffect(() => saveSearch(stores, state), [stores, state]);
  useEffect(() => () => running.current?.abort(), []);

  // A link from another browser shows the results of a search there.
  const [openedToken] = useState(() => resultsTokenOf(window.location));
  useEffect(() => {
    if (openedToken === null) return undefined;
    removeResultsToken();
    const controller = new AbortController();
    dispatch({ type: 'selfieTaken' });
    const open = async () => {
      try {
        const result = await fetchResults(openedToken, controller.signal);
        if (!controller.signal.aborted) dispatch({ type: 'opened', result });
      } catch (error) {
        if (controller.signal.aborted) return;
        dispatch({ type: 'selfieRefused' });
        if (error instanceof Error) show({ tone: 'error', text: error.message });
      }
    };
    void open();
    return () => controller.abort();
  }, [openedToken, show]);

  const startController = () => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current;
  };

  const showOutcome = useCallback(
    (query: SearchQuery, result: SearchResult, refined: CompletedSearch | null, quiet: boolean) => {
      const outcome = stateAfterResult(query, result);
      if (outcome.phase !== 'results') return;
      const adjusted = refined !== null && refined.query.strictness !== query.strictness;
      const unchanged = adjusted && samePhotos(refined.result, outcome.result);
      if (!quiet)
        show({
          tone: 'success',
          text: unchanged ? unchangedText() : (result.news ?? matchesText(outcome.result.matches.length)),
        });
      // The guest goes on looking at the control that adjusts the strictness.
      if (!adjusted) setCompletedSearches((count) => count + 1);
    },
    [show],
  );

  /** `refined` is the search whose results stay on the screen meanwhile. */
  const run = useCallback(
    async (
      query: SearchQuery,
      controller: AbortController,
      refined: CompletedSearch | null,
      quiet = aside,
    ) => {
      show(null);
      dispatch({ type: 'submitted', query, refines: refined !== null });
      try {
        const result = await retryWhenRateLimited(
          () => searchFaces(slug, query, controller.signal),
          (retryAt) => dispatch({ type: 'postponed', query, retryAt }),
          controller.signal,
        );
        if (controller.signal.aborted) return;
        dispatch({ type: 'succeeded', query, result });
        showOutcome(query, result, refined, quiet);
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = searchFailureOf(error);
        dispatch({ type: 'failed', query, failure });
        // Elsewhere the page itself says it.
        if (refined !== null) show({ tone: 'error', text: failure.text });
      }
    },
    [slug, aside, show, showOutcome],
  );

  const query = queryOf(state);
  const previous = previousOf(state);
  const searchWith = (change: Partial<SearchQuery>, quiet?: boolean) => {
    if (query === null || !isRepeatable(query)) return;
    void run({ ...query, ...change }, startController(), state.phase === 'results' ? previous : null, quiet);
  };

  return {
    state,
    completedSearches,
    submit: async (image) => {
      const adding = state.phase === 'capture' && state.adding ? previous : null;
      const controller = startController();
      dispatch({ type: 'selfieTaken' });
      try {
        const { prepareSelfie } = await import('../capture/selfies');
        const selfie = await prepareSelfie(image);
        if (controller.signal.aborted) return;
        const next: SearchQuery =
          adding === null
            ? {
                selfies: [selfie],
                kept: null,
                face: null,
                strictness: query?.strictness ?? 'normal',
                rejected: [],
              }
            : { ...adding.query, selfies: [...adding.query.selfies, selfie].slice(0, maxSelfies) };
        await run(next, controller, adding);
      } catch (error) {
        if (controller.signal.aborted) return;
        dispatch({ type: 'selfieRefused' });
        if (error instanceof Error) show({ tone: 'error', text: error.message });
      }
    },
    find: (asked) => void run(asked, startController(), null),
    chooseFace: (face) => {
      if (state.phase !== 'choosing') return;
      if (face > 0) {
        searchWith({ face });
        return;
      }
      dispatch({ type: 'faceConfirmed' });
      showOutcome({ ...state.query, face: 0 }, state.result, null, aside);
    },
    setStrictness: (strictness) => searchWith({ strictness }),
    searchAgain: () => searchWith({}),
    repeatQuietly: (change) => searchWith(change, true),
    cancel: () => {
      running.current?.abort();
      dispatch({ type: 'cancelled' });
    },
    mergeResult: useCallback((asked, result) => dispatch({ type: 'merged', query: asked, result }), []),
    reject: (match) => dispatch({ type: 'rejected', match }),
    restore: (match, at) => dispatch({ type: 'restored', match, at }),
    renewDownloadTokens: async (signal) => {
      if (query === null || !isRepeatable(query)) return null;
      const result = await searchFaces(slug, query, signal);
      dispatch({ type: 'merged', query, result });
      return {
        tokens: result.downloadTokens,
        photoIds: result.matches.flatMap(({ photo_id }) => photo_id ?? []),
      };
    },
    addSelfie: () => {
      show(null);
      dispatch({ type: 'selfieRequested' });
    },
    showPrevious: () => {
      running.current?.abort();
      dispatch({ type: 'previousRequested' });
    },
    reset: () => {
      running.current?.abort();
      dispatch({ type: 'reset' });
      show(null);
    },
  };
}
