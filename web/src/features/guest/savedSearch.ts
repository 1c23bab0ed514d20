import type { StoredValue } from '../../shared/storage';
import { type Answer, parseAnswer } from './matches';
import { type Query, type SearchState, start, type Strictness } from './search';
import { selfieFromPreview } from './selfies';

/** How long the links of an answer can be followed, in ms. */
export const linkLifetime = 6 * 60 * 60 * 1000;

export const linksExpired = (answer: Answer, now: number): boolean => now - answer.receivedAt > linkLifetime;

interface Stores {
  search: StoredValue<unknown>;
  preview: StoredValue<string>;
}

const strictnessOf = (value: unknown): Strictness =>
  value === 'strict' || value === 'loose' ? value : 'normal';

/** What the tab kept of the last search: its results with the selfie's preview, or the capture view. */
export function restore({ search, preview }: Stores): SearchState {
  const saved = search.read();
  const picture = preview.read();
  if (typeof saved !== 'object' || saved === null || picture === null) return start;
  const { receivedAt, face, strictness } = saved as Record<string, unknown>;
  if (typeof receivedAt !== 'number') return start;
  const answer = parseAnswer(saved, receivedAt);
  if (answer.matches.length === 0) return start;
  const query: Query = {
    selfies: [selfieFromPreview(picture)],
    face: typeof face === 'number' ? face : null,
    strictness: strictnessOf(strictness),
  };
  return { phase: 'results', query, answer };
}

/** Keeps the results in the tab, or forgets them, as the state says. */
export function remember({ search, preview }: Stores, state: SearchState): void {
  if (state.phase === 'results') {
    const { matches, faces, indexing, downloadToken, receivedAt } = state.answer;
    const { face, strictness, selfies } = state.query;
    search.write({ matches, faces, indexing, download_token: downloadToken, receivedAt, face, strictness });
    const picture = selfies[0]?.preview ?? null;
    if (picture !== null) preview.write(picture);
  } else if (state.phase === 'failed' && state.failure.code === 'no_matches') {
    search.remove();
  } else if (state.phase === 'capture' && state.before === null) {
    search.remove();
    preview.remove();
  }
}
