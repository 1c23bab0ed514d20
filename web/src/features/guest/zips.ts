import { withTimeout } from '../../shared/api/withTimeout';
import { ApiError } from '../../shared/api/errors';
import { formatBytes } from '../../shared/formats';
import { reasonOf } from './downloads';

/** Milliseconds within which the server says what it has under a token. */
export const zipTimeout = 10_000;

export const zipPath = (token: string): string => `/api/face/download/${encodeURIComponent(token)}.zip`;

const noAnswerText = 'The server did not answer';

/**
 * Asks whether the ZIP is still there, and how many bytes it has; null where that is not said.
 * The browser takes the file itself, past this page: a refusal would be saved as if it were the ZIP.
 * Throws an `ApiError`: 404 when the token has run out.
 */
export async function sizeOfZip(token: string, signal: AbortSignal): Promise<number | null> {
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

/** What a ZIP needs of the world outside. */
export interface ZipSteps {
  sizeOf: (token: string, signal: AbortSignal) => Promise<number | null>;
  /** Searches again with the selfie that is in memory; answers the new token, null where there is none. */
  renew: (signal: AbortSignal) => Promise<string | null>;
  /** Hands the file to the browser's downloads. */
  start: (path: string) => void;
}

export const zipExpiredText =
  'The link to this ZIP has run out. Take a new photo, and the ZIP is there again.';

/** Starts the download of a ZIP; a token that has run out is renewed once. Answers its size, null where unknown. */
export async function startZip(token: string, steps: ZipSteps, signal: AbortSignal): Promise<number | null> {
  const begin = async (current: string) => {
    const size = await steps.sizeOf(current, signal);
    steps.start(zipPath(current));
    return size;
  };
  try {
    return await begin(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  const renewed = await steps.renew(signal);
  if (renewed === null) throw new ApiError(404, zipExpiredText);
  return begin(renewed);
}

/** What to say about a ZIP that did not start. */
export const zipFailedText = (error: unknown): string =>
  error instanceof ApiError && error.message === zipExpiredText
    ? zipExpiredText
    : `The ZIP could not be fetched. ${reasonOf(error)}. Please try again.`;

/** What to say once the browser has the ZIP. */
export const zipStartedText = (photos: number, size: number | null): string =>
  `One ZIP with ${photos === 1 ? 'your photo' : `all ${photos} photos`} is downloading${size === null ? '' : `, ${formatBytes(size)}`}.`;
