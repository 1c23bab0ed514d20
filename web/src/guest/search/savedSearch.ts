import type { StoredValue } from '../../platform/storage/storage';
import { selfieFromPreview } from '../capture/selfie';
import { parseSearchResult, rejectionsOf, type SearchResult, strictnessOf } from './matches';
import { initialState, type SearchQuery, type SearchState } from './search';

/** Lifetime of the links of a result, in milliseconds. */
export const linkLifetime = 6 * 60 * 60 * 1000;

export const linksExpired = (result: Pick<SearchResult, 'receivedAt'>, now: number): boolean =>
  now - result.receivedAt > linkLifetime;

interface StoredValues {
  search: StoredValue<unknown>;
  preview: StoredValue<string>;
  /** Whether a search without photos is kept too: those that arrive are still searched. */
  keepsEmpty?: boolean;
}

/**
 * Restores the saved results with the selfie's preview; the initial state if there are none. A selfie that has no preview
 * is not restored: the results are shown without it.
 */
export function restoreSearch({ search, preview, keepsEmpty = false }: StoredValues): SearchState {
  const saved = search.read();
  const picture = preview.read();
  const selfie = picture === null ? null : selfieFromPreview(picture);
  if (typeof saved !== 'object' || saved === null) return initialState;
  const { receivedAt, face, strictness, rejected } = saved as Record<string, unknown>;
  if (typeof receivedAt !== 'number') return initialState;
  const result = parseSearchResult(saved, receivedAt);
  const rejections = rejectionsOf(rejected);
  if (result.matches.length === 0 && rejections.length === 0 && !keepsEmpty) return initialState;
  const query: SearchQuery = {
    selfies: selfie === null ? [] : [selfie],
    kept: null,
    face: typeof face === 'number' ? face : null,
    strictness: strictnessOf(strictness),
    rejected: rejections,
  };
  return { phase: 'results', query, result };
}

/** Saves or removes the results, depending on the state. */
export function saveSearch({ search, preview, keepsEmpty = false }: StoredValues, state: SearchState): void {
  const isEmpty = state.phase === 'failed' && state.failure.code === 'no_matches';
  const kept = state.phase === 'results' || (isEmpty && keepsEmpty) ? state : null;
  if (kept !== null && kept.query.kept !== null) {
    // The device keeps the search itself, which has fresh links the next time.
    search.remove();
    preview.remove();
  } else if (kept?.result != null) {
    const { matches, albums, faces, indexing, downloadTokens, receivedAt } = kept.result;
    const { searchToken, subscriptionToken } = kept.result;
    const { selfies, ...query } = kept.query;
    search.write({
      matches,
      albums,
      faces,
      indexing,
      download_tokens: downloadTokens,
      search_token: searchToken,
      subscription_token: subscriptionToken,
      receivedAt,
      ...query,
    });
    const picture = selfies[0]?.preview ?? null;
    // The preview of an earlier search would pass for the selfie of this one.
    if (picture === null) preview.remove();
    else preview.write(picture);
  } else if (isEmpty) {
    search.remove();
  } else if (state.phase === 'capture' && !state.adding) {
    search.remove();
    preview.remove();
  }
}
