import { api, unwrapResponse } from '../../../shared/api/client';
import { ApiError } from '../../../shared/api/errors';
import { sameOrigin } from '../../../shared/api/links';
import { withTimeout } from '../../../shared/api/withTimeout';
import { NOTICE_VERSION } from '../capture/privacyNotice';
import { parseSearchResult, type SearchResult } from './matches';
import type { SearchFailure, SearchQuery } from './search';

/** Milliseconds. */
export const searchTimeout = 60_000;
export const downloadUrlTimeout = 10_000;
export const photoTimeout = 30_000;

const failedSearch = 'Failed to search for photos';

/** Runs a face search on an event. Throws an `ApiError`. */
export async function searchFaces(
  slug: string,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  const form = new FormData();
  for (const { image } of query.selfies) form.append('image', image, 'selfie');
  if (query.face !== null) form.append('face', String(query.face));
  form.append('strictness', query.strictness);
  form.append('notice_version', NOTICE_VERSION);
  const body = await unwrapResponse(
    api.POST('/api/face/search/{slug}', {
      params: { path: { slug } },
      body: { image: [] },
      bodySerializer: () => form,
      signal: withTimeout(signal, searchTimeout),
    }),
    failedSearch,
  );
  return parseSearchResult(body, Date.now());
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status !== 0) return `the server answered ${error.status}`;
  const cause = error instanceof ApiError ? error.cause : error;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return 'the search took longer than 60 seconds';
  }
  return navigator.onLine ? 'the server could not be reached' : 'you are offline';
}

/** Converts a thrown error to the failure to show: the server's message, or why there was no response. */
export function searchFailureOf(error: unknown): SearchFailure {
  const code = error instanceof ApiError && error.status !== 0 ? (error.code ?? 'unknown') : 'network';
  if (error instanceof ApiError && error.serverMessage !== undefined)
    return { text: error.serverMessage, code };
  return { text: `${failedSearch}: ${reasonOf(error)}. Please try again.`, code };
}

export const noDownloadUrlText = 'No download URL received from server';

/** Fetches a fresh download URL of the original. */
export async function fetchDownloadUrl(key: string, signal: AbortSignal): Promise<string> {
  const body: { download_url?: string | null } = await unwrapResponse(
    api.GET('/api/photos/download-by-s3', {
      params: { query: { key } },
      signal: withTimeout(signal, downloadUrlTimeout),
    }),
    'The server gave no link',
  );
  if (typeof body.download_url !== 'string' || body.download_url === '') throw new Error(noDownloadUrlText);
  return body.download_url;
}

/** Fetches the bytes of a photo; `onProgress` is called with a fraction from 0 to 1 if the length is known. */
export async function fetchPhoto(
  link: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await fetch(sameOrigin(link), { signal: withTimeout(signal, photoTimeout) });
  if (!response.ok) throw new ApiError(response.status, 'The photo could not be fetched');
  const total = Number(response.headers.get('Content-Length'));
  if (response.body === null || !(total > 0)) return response.blob();
  let received = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        onProgress(Math.min(1, received / total));
        controller.enqueue(chunk);
      },
    }),
  );
  const type = response.headers.get('Content-Type') ?? 'image/jpeg';
  return new Response(counted, { headers: { 'Content-Type': type } }).blob();
}
