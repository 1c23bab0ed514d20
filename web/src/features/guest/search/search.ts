import type { Selfie } from '../capture/selfies';
import { mergeSearchResults, type SearchResult } from './matches';

export type Strictness = 'strict' | 'normal' | 'loose';

/** Maximum number of selfies in one search. */
export const maxSelfies = 3;

/** A search: one to three selfies of one person. */
export interface SearchQuery {
  selfies: Selfie[];
  /** The index of the face in the first selfie; null until the guest has chosen it. */
  face: number | null;
  strictness: Strictness;
}

export interface CompletedSearch {
  query: SearchQuery;
  result: SearchResult;
}

/** Why there are no photos. `code` is the server's, or one of the client's own. */
export interface SearchFailure {
  text: string;
  code: 'no_matches' | 'network' | (string & {});
}

export type SearchState =
  /** The capture view. `previous` is the search to return to if adding a selfie is cancelled. */
  | { phase: 'capture'; previous: CompletedSearch | null }
  /**
   * `previous` stays visible and is restored if this search fails. `retryAt` is the time of the next attempt of a
   * rate-limited search, in milliseconds since the epoch; null while it runs.
   */
  | { phase: 'searching'; query: SearchQuery; previous: CompletedSearch | null; retryAt: number | null }
  | { phase: 'choosing'; query: SearchQuery; result: SearchResult }
  | { phase: 'results'; query: SearchQuery; result: SearchResult }
  | { phase: 'failed'; query: SearchQuery; failure: SearchFailure; result: SearchResult | null };

export type SearchAction =
  | { type: 'submitted'; query: SearchQuery }
  | { type: 'postponed'; query: SearchQuery; retryAt: number | null }
  | { type: 'succeeded'; query: SearchQuery; result: SearchResult }
  | { type: 'failed'; query: SearchQuery; failure: SearchFailure }
  | { type: 'faceConfirmed' }
  | { type: 'merged'; query: SearchQuery; result: SearchResult }
  | { type: 'selfieRequested' }
  | { type: 'captureCancelled' }
  | { type: 'reset' };

export const noMatchesText = 'No matching photos found. Try a different photo!';
export const matchesText = (count: number): string => `${count} matches found.`;

export const initialState: SearchState = { phase: 'capture', previous: null };

/** The state after a result. If there are several faces, the guest chooses one before results are shown. */
export function stateAfterResult(query: SearchQuery, result: SearchResult): SearchState {
  if (result.faces.length > 1 && query.face === null) return { phase: 'choosing', query, result };
  if (result.matches.length === 0) {
    return { phase: 'failed', query, result, failure: { text: noMatchesText, code: 'no_matches' } };
  }
  return { phase: 'results', query, result };
}

function completedSearchOf(state: SearchState): CompletedSearch | null {
  if (state.phase === 'results') return { query: state.query, result: state.result };
  return state.phase === 'capture' || state.phase === 'searching' ? state.previous : null;
}

/** The query of a state. */
export const queryOf = (state: SearchState): SearchQuery | null =>
  state.phase === 'capture' ? (state.previous?.query ?? null) : state.query;

export function searchReducer(state: SearchState, action: SearchAction): SearchState {
  switch (action.type) {
    case 'submitted':
      return { phase: 'searching', query: action.query, previous: completedSearchOf(state), retryAt: null };
    case 'postponed':
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      return { ...state, retryAt: action.retryAt };
    case 'succeeded':
      // Ignore the response to an outdated query.
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      return stateAfterResult(action.query, action.result);
    case 'failed':
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      if (state.previous !== null) return { phase: 'results', ...state.previous };
      return { phase: 'failed', query: action.query, failure: action.failure, result: null };
    case 'faceConfirmed':
      // The result is already that of the first face.
      if (state.phase !== 'choosing') return state;
      return stateAfterResult({ ...state.query, face: 0 }, state.result);
    case 'merged': {
      if ((state.phase !== 'results' && state.phase !== 'failed') || state.query !== action.query)
        return state;
      if (state.phase === 'results')
        return { ...state, result: mergeSearchResults(state.result, action.result) };
      return state.failure.code === 'no_matches' ? stateAfterResult(action.query, action.result) : state;
    }
    case 'selfieRequested':
      return { phase: 'capture', previous: completedSearchOf(state) };
    case 'captureCancelled':
      if (state.phase !== 'capture' || state.previous === null) return state;
      return { phase: 'results', ...state.previous };
    case 'reset':
      return initialState;
  }
}
