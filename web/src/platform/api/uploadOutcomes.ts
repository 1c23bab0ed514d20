import { endSession } from './authorizedFetch';
import { parseErrorBody } from './errors';
import { refusalText } from './refusals';
import type { UploadedPhoto } from './types';

/** What becomes of uploads, whichever way they go. */

/**
 * The outcome of one upload. `unknown`: the request failed in a way that leaves open whether the server stored it. `cut`: the
 * server has a part of it at most, and the next attempt goes on there.
 */
export type UploadOutcome =
  /** With the photo's id, and without the photo where the answer does not have it. */
  | { kind: 'accepted'; photo: UploadedPhoto | null; photoId?: string | null; duplicate: boolean }
  | { kind: 'unknown' }
  /** `reached`: the server has answered this attempt; `moved`: it has more than at the attempt before. */
  | { kind: 'cut'; reached: boolean; moved: boolean }
  /** `code`: the server's, where the answer has one. */
  | { kind: 'rejected'; status: number; error: string | undefined; code?: string }
  | { kind: 'aborted' };

export interface UploadRequest {
  file: File;
  /** The BLAKE3 of the file as it is now, in hexadecimal; null if it cannot be computed, empty where it is left out. */
  hash: () => Promise<string | null>;
  eventId: string | null;
  /** Whether it takes the place of the photo of its name. */
  replaces: boolean;
  /** Called with the bytes of the body sent so far and the total. */
  onProgress: (sent: number, total: number) => void;
  signal: AbortSignal;
  /** Where a guest's goes; left out, it is a photographer's. */
  to?: {
    /** The path where uploads in pieces begin. */
    endpoint: string;
    /** Identifies the file, where its hash is empty. */
    key: string;
    headers: Record<string, string>;
    metadata: Record<string, string>;
  };
}

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The outcome of an upload that the server refuses; one without a session ends the session here too. `wait`: the seconds of
 * its `Retry-After`.
 */
export function rejectedUpload(status: number, body: unknown, wait?: number): UploadOutcome {
  const details = parseErrorBody(body);
  const error = refusalText({ ...details, ...(wait !== undefined && { retryAfter: wait }) });
  if (status === 401) endSession(error);
  return { kind: 'rejected', status, error, ...(details.code !== undefined && { code: details.code }) };
}
