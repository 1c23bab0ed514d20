import { plural, t } from '@lingui/core/macro';
import { ApiError, parseRetryAfter } from '../../platform/api/errors';
import { zipPath } from '../../platform/api/links';
import type { DownloadToken } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { formatBytes } from '../../platform/bytes';
import { delay } from '../../platform/delay';
import { request } from '../request';
import { failureReason } from './downloads';

/** Timeout in milliseconds of each request that prepares a ZIP. */
export const zipTimeout = 10_000;

/** Milliseconds between two questions for a ZIP's size, unless the server says how long. */
const pause = 1000;
/** Milliseconds for which it is asked for: other ZIPs may be laid out first, and what previews get a watermark is drawn once. */
const patience = 220_000;

const noAnswerText = (): string => t`The server did not answer`;

async function askZipSize(token: string, signal: AbortSignal): Promise<number | null> {
  let response: Response;
  try {
    response = await fetch(zipPath(token), { method: 'HEAD', signal: withTimeout(signal, zipTimeout) });
  } catch (cause) {
    throw new ApiError(0, noAnswerText(), {}, cause);
  }
  if (!response.ok)
    throw new ApiError(
      response.status,
      t`The server answered ${{ status: response.status }}`,
      parseRetryAfter(response.headers),
    );
  const length = Number(response.headers.get('Content-Length'));
  return length > 0 ? length : null;
}

/** There is an answer later: the server lays other ZIPs out, or goes on with this one where it has stopped. */
const isLater = ({ status, cause }: ApiError): boolean =>
  status === 429 || status === 503 || (cause instanceof DOMException && cause.name === 'TimeoutError');

/**
 * Checks that the ZIP is available and returns its size in bytes; null if unknown. Where the server is not ready it is asked again.
 * The download itself bypasses the page: the browser would save an error response as if it were the ZIP.
 * Throws an `ApiError`, with status 404 if the token has expired; what `signal` was aborted with otherwise.
 */
export async function fetchZipSize(token: string, signal: AbortSignal): Promise<number | null> {
  const deadline = Date.now() + patience;
  for (;;) {
    let wait = pause;
    try {
      return await askZipSize(token, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || !isLater(error) || signal.aborted) throw error;
      wait = Math.max(pause, 1000 * (error.retryAfter ?? 0));
      if (Date.now() + wait > deadline) throw error;
    }
    await delay(wait, signal);
    signal.throwIfAborted();
  }
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
  const body = await request<DownloadToken>(
    '/api/face/download',
    { body: { tokens, photo_ids: photoIds }, signal: withTimeout(signal, zipTimeout) },
    noAnswerText(),
  );
  return body.download_token;
}

/** Tokens of a search that was repeated, and the photos that they cover. */
export interface Renewed {
  tokens: string[];
  photoIds: string[];
}

/** The side effects of a ZIP download. */
export interface ZipPorts {
  combineTokens: (
    tokens: readonly string[],
    photoIds: readonly string[],
    signal: AbortSignal,
  ) => Promise<string>;
  fetchSize: (token: string, signal: AbortSignal) => Promise<number | null>;
  /** Repeats the search with the selfies in memory; null if there are none. */
  renewTokens: (signal: AbortSignal) => Promise<Renewed | null>;
  /** Starts a browser download. */
  startDownload: (path: string) => void;
}

/**
 * Does what takes tokens that cover these photos. If one of them has expired, the search is repeated, and it is done once more
 * with the photos that were found again; if there are none, throws what `ended` makes of the error.
 */
export async function withRenewal<T>(
  tokens: readonly string[],
  photoIds: readonly string[],
  renew: () => Promise<Renewed | null>,
  attempt: (tokens: readonly string[], photoIds: readonly string[]) => Promise<T>,
  ended: (error: ApiError) => Error = (error) => error,
): Promise<T> {
  try {
    return await attempt(tokens, photoIds);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const renewed = await renew();
    const covered = new Set(renewed?.photoIds);
    const left = photoIds.filter((id) => covered.has(id));
    if (renewed === null || left.length === 0) throw ended(error);
    return attempt(renewed.tokens, left);
  }
}

/** No token covers these photos any more, and there is no selfie to search with again. */
class ZipExpiredError extends Error {
  override readonly name = 'ZipExpiredError';
}

export const zipExpiredText = (): string =>
  t`The link to this ZIP has run out. Take a new photo, and the ZIP is there again.`;

/**
 * Starts the download of a ZIP of these photos; expired tokens are renewed once. Photos that the search does not find any more
 * are not in it then. Returns how many are, and its size, null if unknown.
 */
export async function startZipDownload(
  tokens: readonly string[],
  photoIds: readonly string[],
  ports: ZipPorts,
  signal: AbortSignal,
): Promise<{ photos: number; bytes: number | null }> {
  const begin = async (current: readonly string[], photos: readonly string[]) => {
    const token = await ports.combineTokens(current, photos, signal);
    const bytes = await ports.fetchSize(token, signal);
    ports.startDownload(zipPath(token));
    return { photos: photos.length, bytes };
  };
  const renew = () => ports.renewTokens(signal);
  return withRenewal(tokens, photoIds, renew, begin, () => new ZipExpiredError(zipExpiredText()));
}

/** The message for a ZIP download that failed to start. */
export const zipFailedText = (error: unknown): string =>
  error instanceof ZipExpiredError
    ? error.message
    : t`The ZIP could not be fetched. ${{ reason: failureReason(error) }}. Please try again.`;

/** The message for the download of a ZIP that has started, with so many of the photos that were asked for. */
export function zipStartedText(photos: number, bytes: number | null, total = photos): string {
  if (photos < total) return t`One ZIP with ${photos} out of ${total} photos is downloading.`;
  if (bytes === null)
    return plural(photos, {
      one: 'One ZIP with your photo is downloading.',
      other: 'One ZIP with all # photos is downloading.',
    });
  const size = formatBytes(bytes);
  return plural(photos, {
    one: `One ZIP with your photo is downloading, ${size}.`,
    other: `One ZIP with all # photos is downloading, ${size}.`,
  });
}
