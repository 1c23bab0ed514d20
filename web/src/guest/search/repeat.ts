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

/** Runs the search that this device keeps; the photos that it has not shown yet come first. Throws an `ApiError`. */
async function searchKept(
  slug: string,
  key: string,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  const stored = storedKeptSearch(slug);
  const seen = new Set(stored.read()?.seen);
  try {
    const result = await repeatSearch(slug, key, query, signal);
    const isNew = (match: (typeof result.matches)[number]) => !seen.has(matchId(match));
    const fresh = result.matches.filter(isNew);
    const matches = [...fresh, ...result.matches.filter((match) => !isNew(match))];
    const isNews = seen.size > 0 && fresh.length > 0;
    return { ...result, matches, ...(isNews && { news: newPhotosText(fresh.length) }) };
  } catch (error) {
    if (needsSelfie(error)) stored.remove();
    throw error;
  }
}

/** The search that this device keeps; null if it keeps none. */
export function keptQuery(slug: string): SearchQuery | null {
  const device = storedKeptSearch(slug).read();
  if (device === null) return null;
  const { key, strictness, rejected } = device;
  return {
    selfies: [],
    kept: (query, signal) => searchKept(slug, key, query, signal),
    face: null,
    strictness: strictnessOf(strictness),
    rejected: rejectionsOf(rejected),
  };
}
