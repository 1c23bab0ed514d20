import { plural, t } from '@lingui/core/macro';
import type { Selfie } from '../capture/selfie';
import { type Match, matchId, mergeSearchResults, type SearchResult } from './matches';

export type Strictness = 'strict' | 'normal' | 'loose';

/** Maximum number of selfies in one search. */
export const maxSelfies = 3;

/** A photo that the guest is not in, and the face in it that was taken for theirs. */
export interface Rejection {
  photo: string;
  face: string | null;
}

/** A search: one to three selfies of one person; none if the results were restored without them. */
export interface SearchQuery {
  selfies: Selfie[];
  /** Searches by what this device keeps of an earlier search, where there are no selfies. */
  kept: ((query: SearchQuery, signal: AbortSignal) => Promise<SearchResult>) | null;
  /** The index of the face in the first selfie; null until the guest has chosen it. */
  face: number | null;
  strictness: Strictness;
  /** They are in no result of this search, and their faces are excluded from the next. */
  rejected: readonly Rejection[];
}

export interface CompletedSearch {
  query: SearchQuery;
  result: SearchResult;
}

/** Whether the search can be run once more. */
export const isRepeatable = ({ selfies, kept }: SearchQuery): boolean => selfies.length > 0 || kept !== null;

/** Why there are no photos. `code` is the server's, or one of the client's own. */
export interface SearchFailure {
  text: string;
  code: 'no_matches' | 'network' | (string & {});
  /** Whether the same search may succeed later, without another selfie. */
  transient: boolean;
}

/**
 * `previous` is the last search with results. It is on the screen only where that is said; everywhere else it is what the
 * guest can go back to.
 */
export type SearchState =
  /** The capture view. With `adding`, the selfie is searched together with those of `previous`. */
  | { phase: 'capture'; previous: CompletedSearch | null; adding: boolean }
  /** The selfie is being scaled. */
  | { phase: 'preparing'; previous: CompletedSearch | null; adding: boolean }
  /**
   * With `refines`, `previous` stays on the screen, and is restored if this search fails. `retryAt` is the time of the
   * next attempt of a rate-limited search, in milliseconds since the epoch; null while it runs.
   */
  | {
      phase: 'searching';
      query: SearchQuery;
      previous: CompletedSearch | null;
      refines: boolean;
      retryAt: number | null;
    }
  | { phase: 'choosing'; query: SearchQuery; result: SearchResult; previous: CompletedSearch | null }
  | { phase: 'results'; query: SearchQuery; result: SearchResult }
  | {
      phase: 'failed';
      query: SearchQuery;
      failure: SearchFailure;
      result: SearchResult | null;
      previous: CompletedSearch | null;
    };

export type SearchAction =
  | { type: 'selfieTaken' }
  | { type: 'selfieRefused' }
  | { type: 'submitted'; query: SearchQuery; refines: boolean }
  | { type: 'postponed'; query: SearchQuery; retryAt: number | null }
  | { type: 'succeeded'; query: SearchQuery; result: SearchResult }
  | { type: 'failed'; query: SearchQuery; failure: SearchFailure }
  | { type: 'cancelled' }
  | { type: 'opened'; result: SearchResult }
  | { type: 'faceConfirmed' }
  | { type: 'merged'; query: SearchQuery; result: SearchResult }
  | { type: 'rejected'; match: Match }
  | { type: 'restored'; match: Match; at: number }
  | { type: 'selfieRequested' }
  | { type: 'previousRequested' }
  | { type: 'reset' };

export const noMatchesText = (): string => t`No matching photos found. Try a different photo!`;
export const matchesText = (count: number): string =>
  plural(count, { one: '# matches found.', other: '# matches found.' });

const noMatches = (): SearchFailure => ({ text: noMatchesText(), code: 'no_matches', transient: false });

/** The query of results that were opened by a link. */
const queryWithoutSelfie: SearchQuery = {
  selfies: [],
  kept: null,
  face: null,
  strictness: 'normal',
  rejected: [],
};

export const initialState: SearchState = { phase: 'capture', previous: null, adding: false };

/** The last search with results, whether it is on the screen or not. */
export const previousOf = (state: SearchState): CompletedSearch | null =>
  state.phase === 'results' ? { query: state.query, result: state.result } : state.previous;

/** The search whose results are on the screen. */
export function shownSearchOf(state: SearchState): CompletedSearch | null {
  if (state.phase === 'results') return state;
  return state.phase === 'searching' && state.refines ? state.previous : null;
}

/** The query with the server's preview of a selfie that the browser cannot display. */
function withPreview(query: SearchQuery, { preview }: SearchResult): SearchQuery {
  const [first, ...others] = query.selfies;
  if (first === undefined || first.preview !== null || preview === null) return query;
  return { ...query, selfies: [{ ...first, preview }, ...others] };
}

/** The result without the photos that the guest is not in. */
const withoutRejected = (result: SearchResult, { rejected }: SearchQuery): SearchResult => ({
  ...result,
  matches: result.matches.filter((match) => rejected.every(({ photo }) => photo !== matchId(match))),
});

/** The state after a result. If there are several faces, the guest chooses one before results are shown. */
export function stateAfterResult(
  sent: SearchQuery,
  received: SearchResult,
  previous: CompletedSearch | null = null,
): SearchState {
  const query = withPreview(sent, received);
  const result = withoutRejected(received, query);
  if (result.faces.length > 1 && query.face === null) return { phase: 'choosing', query, result, previous };
  if (result.matches.length === 0) return { phase: 'failed', query, result, failure: noMatches(), previous };
  return { phase: 'results', query, result };
}

/** The query of a state. */
export function queryOf(state: SearchState): SearchQuery | null {
  if (state.phase === 'preparing') return null;
  return state.phase === 'capture' ? (state.previous?.query ?? null) : state.query;
}

const capture = (previous: CompletedSearch | null, adding = false): SearchState => ({
  phase: 'capture',
  previous,
  adding: adding && previous !== null,
});

export function searchReducer(state: SearchState, action: SearchAction): SearchState {
  const previous = previousOf(state);
  switch (action.type) {
    case 'selfieTaken':
      return { phase: 'preparing', previous, adding: state.phase === 'capture' && state.adding };
    case 'selfieRefused':
      return state.phase === 'preparing' ? capture(previous, state.adding) : state;
    case 'submitted':
      return {
        phase: 'searching',
        query: action.query,
        previous,
        refines: action.refines && previous !== null,
        retryAt: null,
      };
    case 'postponed':
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      return { ...state, retryAt: action.retryAt };
    case 'succeeded':
      // Ignore the response to an outdated query.
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      return stateAfterResult(action.query, action.result, previous);
    case 'failed':
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      if (state.refines && state.previous !== null) return { phase: 'results', ...state.previous };
      return { phase: 'failed', query: action.query, failure: action.failure, result: null, previous };
    case 'cancelled':
      if (state.phase === 'preparing') return capture(previous, state.adding);
      if (state.phase !== 'searching') return state;
      return state.refines && state.previous !== null
        ? { phase: 'results', ...state.previous }
        : capture(previous);
    case 'opened':
      if (state.phase !== 'preparing') return state;
      return stateAfterResult(queryWithoutSelfie, action.result);
    case 'faceConfirmed':
      // The result is already that of the first face.
      if (state.phase !== 'choosing') return state;
      return stateAfterResult({ ...state.query, face: 0 }, state.result, previous);
    case 'merged': {
      const merge = ({ query, result }: CompletedSearch) =>
        withoutRejected(mergeSearchResults(result, action.result), query);
      if (state.phase === 'capture' && previous?.query === action.query)
        return { ...state, previous: { ...previous, result: merge(previous) } };
      if ((state.phase !== 'results' && state.phase !== 'failed') || state.query !== action.query)
        return state;
      if (state.phase === 'results') return { ...state, result: merge(state) };
      return state.failure.code === 'no_matches'
        ? stateAfterResult(action.query, action.result, previous)
        : state;
    }
    case 'rejected': {
      if (state.phase !== 'results') return state;
      const rejection = { photo: matchId(action.match), face: action.match.face_id };
      const query = { ...state.query, rejected: [...state.query.rejected, rejection] };
      return { ...state, query, result: withoutRejected(state.result, query) };
    }
    case 'restored': {
      if (state.phase !== 'results') return state;
      const rejected = state.query.rejected.filter(({ photo }) => photo !== matchId(action.match));
      const { matches: others } = state.result;
      const matches = [...others.slice(0, action.at), action.match, ...others.slice(action.at)];
      return { ...state, query: { ...state.query, rejected }, result: { ...state.result, matches } };
    }
    case 'selfieRequested':
      return capture(previous, true);
    case 'previousRequested':
      return previous === null ? state : { phase: 'results', ...previous };
    case 'reset':
      return capture(previous);
  }
}
