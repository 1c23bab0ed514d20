import { type Answer, joinAnswers } from './matches';
import type { Selfie } from './selfies';

export type Strictness = 'strict' | 'normal' | 'loose';

/** Most pictures of one person in one search. */
export const selfieLimit = 3;

/** What is asked: one to three selfies of one person. */
export interface Query {
  selfies: Selfie[];
  /** Which face of the first selfie is meant; null until the person has said so. */
  face: number | null;
  strictness: Strictness;
}

export interface Found {
  query: Query;
  answer: Answer;
}

/** Why there are no photos. `code` is the server's, or one of ours. */
export interface Failure {
  text: string;
  code: 'no_matches' | 'network' | (string & {});
}

export type SearchState =
  /** The capture view. `before` is what the person returns to when no other selfie is added after all. */
  | { phase: 'capture'; before: Found | null }
  /**
   * `before` stays in sight and comes back if this search fails. `startsAt` is when a search begins that has to wait
   * for its turn, in milliseconds since the epoch; null while it runs.
   */
  | { phase: 'searching'; query: Query; before: Found | null; startsAt: number | null }
  | { phase: 'choosing'; query: Query; answer: Answer }
  | { phase: 'results'; query: Query; answer: Answer }
  | { phase: 'failed'; query: Query; failure: Failure; answer: Answer | null };

export type SearchAction =
  | { type: 'submitted'; query: Query }
  | { type: 'put off'; query: Query; startsAt: number | null }
  | { type: 'answered'; query: Query; answer: Answer }
  | { type: 'refused'; query: Query; failure: Failure }
  | { type: 'face confirmed' }
  | { type: 'joined'; query: Query; answer: Answer }
  | { type: 'another selfie wanted' }
  | { type: 'capture left' }
  | { type: 'reset' };

export const noMatchesText = 'No matching photos found. Try a different photo!';
export const matchesText = (count: number): string => `${count} matches found.`;

export const start: SearchState = { phase: 'capture', before: null };

/** What an answer leads to: which face is meant is asked before anything is shown. */
export function outcomeOf(query: Query, answer: Answer): SearchState {
  if (answer.faces.length > 1 && query.face === null) return { phase: 'choosing', query, answer };
  if (answer.matches.length === 0) {
    return { phase: 'failed', query, answer, failure: { text: noMatchesText, code: 'no_matches' } };
  }
  return { phase: 'results', query, answer };
}

function foundIn(state: SearchState): Found | null {
  if (state.phase === 'results') return { query: state.query, answer: state.answer };
  return state.phase === 'capture' || state.phase === 'searching' ? state.before : null;
}

/** The query a state is about. */
export const queryOf = (state: SearchState): Query | null =>
  state.phase === 'capture' ? (state.before?.query ?? null) : state.query;

export function reduce(state: SearchState, action: SearchAction): SearchState {
  switch (action.type) {
    case 'submitted':
      return { phase: 'searching', query: action.query, before: foundIn(state), startsAt: null };
    case 'put off':
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      return { ...state, startsAt: action.startsAt };
    case 'answered':
      // An answer to a question that is no longer asked changes nothing.
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      return outcomeOf(action.query, action.answer);
    case 'refused':
      if (state.phase !== 'searching' || state.query !== action.query) return state;
      if (state.before !== null) return { phase: 'results', ...state.before };
      return { phase: 'failed', query: action.query, failure: action.failure, answer: null };
    case 'face confirmed':
      // The first face is the one that was searched for already.
      if (state.phase !== 'choosing') return state;
      return outcomeOf({ ...state.query, face: 0 }, state.answer);
    case 'joined': {
      if ((state.phase !== 'results' && state.phase !== 'failed') || state.query !== action.query)
        return state;
      if (state.phase === 'results') return { ...state, answer: joinAnswers(state.answer, action.answer) };
      return state.failure.code === 'no_matches' ? outcomeOf(action.query, action.answer) : state;
    }
    case 'another selfie wanted':
      return { phase: 'capture', before: foundIn(state) };
    case 'capture left':
      if (state.phase !== 'capture' || state.before === null) return state;
      return { phase: 'results', ...state.before };
    case 'reset':
      return start;
  }
}
