/** Searches that are repeated without their selfies; not in the first load. */
import { t } from '@lingui/core/macro';
import { ApiError } from '../../platform/api/errors';
import type { SearchBody } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { storedKeptSearch } from '../../platform/storage/keptSearchStorage';
import { request } from '../request';
import { excludedBy, finds, searchFaces, searchTimeout } from './searchFaces';
import { matchId, parseSearchResult, rejectionsOf, type SearchResult, strictnessOf } from './matches';
import { newPhotosText } from './newPhotosText';
import type { SearchQuery } from './search';
import type { OnceMore } from './useNewMatches';

/** Whether a search without selfies needs some now: it is too late, or was revoked. */
const needsSelfie = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'search_token_expired';

/** Runs a search once more, by the token of its answer or what the device keeps. Throws an `ApiError`. */
async function repeatSearch(
  slug: string,
  token: string,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  const found = finds(slug);
  const body = await request<SearchBody>(
    `/api/face/search/${encodeURIComponent(slug)}/again`,
    {
      body: {
        token,
        strictness: query.strictness,
        not_me: excludedBy(query),
        found_before: found.before,
      },
      signal: withTimeout(signal, searchTimeout),
    },
    t`Failed to search for photos`,
  );
  const result = parseSearchResult(body, Date.now());
  found.note(result);
  return result;
}

/** Searches without sending the selfies once more, as long as the server can. Throws an `ApiError`. */
export const searchOnceMore = async (
  slug: string,
  { query, result }: Parameters<OnceMore>[0],
  signal: AbortSignal,
): Promise<SearchResult> => {
  const token = result?.searchToken ?? null;
  if (token === null) return searchFaces(slug, query, signal);
  try {
    return await repeatSearch(slug, token, query, signal);
  } catch (error) {
    if (!needsSelfie(error) || query.selfies.length === 0) throw error;
    return searchFaces(slug, query, signal);
  }
};

/** What this device keeps, during one visit. */
interface KeptKey {
  /** As it was used last. */
  key: string;
  /** Whether a fresh one was asked for. */
  isRenewed: boolean;
}

/**
 * Takes a fresh key for the one that was used. Another recogniser describes faces some day: the server makes the answer's token
 * one of both, while the key that this device has is of the one before, and of no use once all photos are described anew.
 */
async function renewKey(slug: string, kept: KeptKey, token: string): Promise<void> {
  kept.isRenewed = true;
  const stored = storedKeptSearch(slug);
  const isStored = () => stored.read()?.key === kept.key;
  if (!isStored()) return;
  try {
    const { fetchKey } = await import('../kept/keptSearches');
    const notice = stored.read()?.notice;
    const key = await fetchKey(slug, token, typeof notice === 'string' ? notice : undefined);
    const device = stored.read();
    // The guest may have been forgotten meanwhile, or another one kept.
    if (device === null || !isStored()) return;
    if (stored.write({ ...device, key })) kept.key = key;
  } catch {
    // The old key is still good; the next visit asks again.
  }
}

/** Runs the search that this device keeps; the photos that it has not shown yet come first. Throws an `ApiError`. */
async function searchKept(
  slug: string,
  kept: KeptKey,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  const stored = storedKeptSearch(slug);
  const seen = new Set(stored.read()?.seen);
  const { key } = kept;
  try {
    const result = await repeatSearch(slug, key, query, signal);
    if (result.searchToken !== null && !kept.isRenewed) void renewKey(slug, kept, result.searchToken);
    const isNew = (match: (typeof result.matches)[number]) => !seen.has(matchId(match));
    const fresh = result.matches.filter(isNew);
    const matches = [...fresh, ...result.matches.filter((match) => !isNew(match))];
    const isNews = seen.size > 0 && fresh.length > 0;
    return { ...result, matches, ...(isNews && { news: newPhotosText(fresh.length) }) };
  } catch (error) {
    // Not one that has taken its place meanwhile.
    if (needsSelfie(error) && stored.read()?.key === key) stored.remove();
    throw error;
  }
}

/** The search that this device keeps; null if it keeps none. */
export function keptQuery(slug: string): SearchQuery | null {
  const device = storedKeptSearch(slug).read();
  if (device === null) return null;
  const { key, strictness, rejected } = device;
  const kept: KeptKey = { key, isRenewed: false };
  return {
    selfies: [],
    kept: (query, signal) => searchKept(slug, kept, query, signal),
    face: null,
    strictness: strictnessOf(strictness),
    rejected: rejectionsOf(rejected),
  };
}
