import { api, unwrapResponse } from '../../../shared/api/client';
import { ApiError } from '../../../shared/api/errors';
import { withTimeout } from '../../../shared/api/withTimeout';
import { formatBytes } from '../../../shared/formats';
import { failureReason } from './downloads';

/** Timeout in milliseconds of each request that prepares a ZIP. */
export const zipTimeout = 10_000;

export const zipPath = (token: string): string => `/api/face/download/${encodeURIComponent(token)}.zip`;

const noAnswerText = 'The server did not answer';

/**
 * Checks that the ZIP is available and returns its size in bytes; null if unknown.
 * The download itself bypasses the page: the browser would save an error response as if it were the ZIP.
 * Throws an `ApiError`, with status 404 if the token has expired.
 */
export async function fetchZipSize(token: string, signal: AbortSignal): Promise<number | null> {
  let response: Response;
  try {
    response = await fetch(zipPath(token), { method: 'HEAD', signal: withTimeout(signal, zipTimeout) });
  } catch (cause) {
    throw new ApiError(0, noAnswerText, {}, cause);
  }
  if (!response.ok) throw new ApiError(response.status, `The server answered ${response.status}`);
  const length = Number(response.headers.get('Content-Length'));
  return length > 0 ? length : null;
}

/**
 * Creates a token for exactly these photos in this order, all of which the given tokens cover.
 * Throws an `ApiError`, with status 404 if a token has expired.
 */
export async function combineTokens(
  tokens: readonly string[],
  photoIds: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const body = await unwrapResponse(
    api.POST('/api/face/download', {
      body: { tokens: [...tokens], photo_ids: [...photoIds] },
      signal: withTimeout(signal, zipTimeout),
    }),
    noAnswerText,
  );
  return body.download_token;
}

/** The side effects of a ZIP download. */
export interface ZipPorts {
  combineTokens: (
    tokens: readonly string[],
    photoIds: readonly string[],
    signal: AbortSignal,
  ) => Promise<string>;
  fetchSize: (token: string, signal: AbortSignal) => Promise<number | null>;
  /** Repeats the search with the selfies in memory; returns its token, null if there is none. */
  renewToken: (signal: AbortSignal) => Promise<string | null>;
  /** Starts a browser download. */
  startDownload: (path: string) => void;
}

export const zipExpiredText =
  'The link to this ZIP has run out. Take a new photo, and the ZIP is there again.';

/** Starts the download of a ZIP of these photos; expired tokens are renewed once. Returns its size, null if unknown. */
export async function startZipDownload(
  tokens: readonly string[],
  photoIds: readonly string[],
  ports: ZipPorts,
  signal: AbortSignal,
): Promise<number | null> {
  const begin = async (current: readonly string[]) => {
    const token = await ports.combineTokens(current, photoIds, signal);
    const size = await ports.fetchSize(token, signal);
    ports.startDownload(zipPath(token));
    return size;
  };
  try {
    return await begin(tokens);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  const renewed = await ports.renewToken(signal);
  if (renewed === null) throw new ApiError(404, zipExpiredText);
  return begin([renewed]);
}

/** The message for a ZIP download that failed to start. */
export const zipFailedText = (error: unknown): string =>
  error instanceof ApiError && error.message === zipExpiredText
    ? zipExpiredText
    : `The ZIP could not be fetched. ${failureReason(error)}. Please try again.`;

/** The message for a ZIP download that has started. */
export const zipStartedText = (photos: number, size: number | null): string =>
  `One ZIP with ${photos === 1 ? 'your photo' : `all ${photos} photos`} is downloading${size === null ? '' : `, ${formatBytes(size)}`}.`;
