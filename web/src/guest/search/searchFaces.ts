import { t } from '@lingui/core/macro';
import { ApiError } from '../../platform/api/errors';
import type { SearchBody } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { storedFinds } from '../../platform/storage/storage';
import { NOTICE_VERSION } from '../capture/privacyNotice';
import { request } from '../request';
import { parseSearchResult, type SearchResult } from './matches';
import type { SearchFailure, SearchQuery } from './search';

/** Milliseconds. */
export const searchTimeout = 60_000;

/** Maximum number of faces that a search excludes. */
const maxRejectedFaces = 100;

/** Events that are remembered beside the newest. */
const maxFinds = 49;

/** The faces that a search excludes. */
export const excludedBy = ({ rejected }: SearchQuery): string[] =>
  rejected.slice(-maxRejectedFaces).flatMap(({ face }) => (face === null ? [] : [face]));

/** Whether this device has found photos of the event before; `note` remembers that it has. */
export function finds(slug: string) {
  const slugs = storedFinds.read() ?? [];
  const before = slugs.includes(slug);
  return {
    before,
    note: ({ matches }: SearchResult) => {
      if (!before && matches.length > 0) storedFinds.write([...slugs.slice(-maxFinds), slug]);
    },
  };
}

/** Runs a face search on an event. Throws an `ApiError`. */
export async function searchFaces(
  slug: string,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  if (query.selfies.length === 0 && query.kept !== null) return query.kept(query, signal);
  const form = new FormData();
  for (const { image } of query.selfies) form.append('image', image, 'selfie');
  if (query.face !== null) form.append('face', String(query.face));
  form.append('strictness', query.strictness);
  for (const face of excludedBy(query)) form.append('not_me', face);
  form.append('notice_version', NOTICE_VERSION);
  const found = finds(slug);
  if (found.before) form.append('found_before', 'true');
  // The server decodes formats that the browser cannot, such as HEIC.
  if (query.selfies[0]?.preview === null) form.append('preview', 'true');
  const body = await request<SearchBody>(
    `/api/face/search/${encodeURIComponent(slug)}`,
    { body: form, signal: withTimeout(signal, searchTimeout) },
    t`Failed to search for photos`,
  );
  const result = parseSearchResult(body, Date.now());
  found.note(result);
  return result;
}

/** Fetches the results of an earlier search by a token. Throws an `ApiError`, with status 404 if it has expired. */
export async function fetchResults(token: string, signal: AbortSignal): Promise<SearchResult> {
  const body = await request<SearchBody>(
    '/api/face/results',
    { body: { token }, signal: withTimeout(signal, searchTimeout) },
    t`The link to your photos could not be opened. Take a new photo to find them again.`,
  );
  return parseSearchResult(body, Date.now());
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status !== 0)
    return t`the server answered ${{ status: error.status }}`;
  const cause = error instanceof ApiError ? error.cause : error;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return t`the search took longer than 60 seconds`;
  }
  return navigator.onLine ? t`the server could not be reached` : t`you are offline`;
}

/** Converts a thrown error to the failure to show: the server's message, or why there was no response. */
export function searchFailureOf(error: unknown): SearchFailure {
  const status = error instanceof ApiError ? error.status : 0;
  const code = error instanceof ApiError && status !== 0 ? (error.code ?? 'unknown') : 'network';
  const transient = status === 0 || status === 429 || status >= 500;
  if (error instanceof ApiError && error.serverMessage !== undefined)
    return { text: error.serverMessage, code, transient };
  return {
    text: t`Failed to search for photos: ${{ reason: reasonOf(error) }}. Please try again.`,
    code,
    transient,
  };
}
