import type { KeptSearch, StoredValue } from '../../../shared/storage';
import { selfieFromPreview } from '../capture/selfies';
import { matchId, parseSearchResult, type SearchResult } from './matches';
import { initialState, type Rejection, type SearchQuery, type SearchState, type Strictness } from './search';

/** Photos that a device remembers to have shown. */
const mostSeen = 2000;

/** Lifetime of the links of a result, in milliseconds. */
export const linkLifetime = 6 * 60 * 60 * 1000;

export const linksExpired = (result: Pick<SearchResult, 'receivedAt'>, now: number): boolean =>
  now - result.receivedAt > linkLifetime;

interface StoredValues {
  search: StoredValue<unknown>;
  preview: StoredValue<string>;
  /** Whether a search without photos is kept too: those that arrive are still searched. */
  keepsEmpty?: boolean;
  /** What this device keeps of the guest's search, beyond this tab. */
  kept?: StoredValue<KeptSearch>;
}

const strictnessOf = (value: unknown): Strictness =>
  value === 'strict' || value === 'loose' ? value : 'normal';

function rejectionsOf(value: unknown): Rejection[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<Rejection>[]).flatMap(({ photo, face }) =>
    typeof photo === 'string' ? [{ photo, face: typeof face === 'string' ? face : null }] : [],
  );
}

/**
 * Restores the saved results with the selfie's preview; the initial state if there are none. A selfie that has no preview
 * is not restored: the results are shown without it.
 */
export function restoreSearch({ search, preview, keepsEmpty = false, kept }: StoredValues): SearchState {
  const saved = search.read();
  const picture = preview.read();
  if (typeof saved !== 'object' || saved === null) return initialState;
  const { receivedAt, face, strictness, rejected } = saved as Record<string, unknown>;
  if (typeof receivedAt !== 'number') return initialState;
  const result = parseSearchResult(saved, receivedAt);
  const rejections = rejectionsOf(rejected);
  if (result.matches.length === 0 && rejections.length === 0 && !keepsEmpty) return initialState;
  const query: SearchQuery = {
    selfies: picture === null ? [] : [selfieFromPreview(picture)],
    kept: kept?.read()?.key ?? null,
    face: typeof face === 'number' ? face : null,
    strictness: strictnessOf(strictness),
    rejected: rejections,
  };
  return { phase: 'results', query, result };
}

/** The search that this device keeps, which needs no selfie; null if it keeps none. */
export function keptQuery({ kept }: StoredValues): SearchQuery | null {
  const device = kept?.read() ?? null;
  if (device === null) return null;
  const { key, strictness, rejected } = device;
  return {
    selfies: [],
    kept: key,
    face: null,
    strictness: strictnessOf(strictness),
    rejected: rejectionsOf(rejected),
  };
}

/** Saves or removes the results, depending on the state. */
export function saveSearch(
  { search, preview, keepsEmpty = false, kept: onDevice }: StoredValues,
  state: SearchState,
): void {
  const isEmpty = state.phase === 'failed' && state.failure.code === 'no_matches';
  const kept = state.phase === 'results' || (isEmpty && keepsEmpty) ? state : null;
  if (kept?.result != null) {
    const { matches, albums, faces, indexing, downloadTokens, receivedAt } = kept.result;
    const { searchToken, subscriptionToken } = kept.result;
    const { selfies, kept: _, ...query } = kept.query;
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
    const device = onDevice?.read() ?? null;
    const { strictness, rejected } = query;
    const seen = matches.slice(0, mostSeen).map(matchId);
    if (device !== null) onDevice?.write({ ...device, seen, strictness, rejected });
  } else if (isEmpty) {
    search.remove();
  } else if (state.phase === 'capture' && !state.adding) {
    search.remove();
    preview.remove();
  }
}
