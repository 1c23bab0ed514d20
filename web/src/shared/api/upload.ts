import { storedToken } from '../storage';
import { endSession } from './authorizedFetch';
import { parseErrorBody } from './errors';
import { refusalText } from './refusals';
import type { UploadedPhoto } from './types';

// The only use of XMLHttpRequest: fetch does not report upload progress.

/** The outcome of one upload. `unknown`: the request failed in a way that leaves open whether the server stored it. */
export type UploadOutcome =
  | { kind: 'accepted'; photo: UploadedPhoto; duplicate: boolean }
  | { kind: 'unknown' }
  | { kind: 'rejected'; status: number; error: string | undefined }
  | { kind: 'aborted' };

const minute = 60_000;
const megabyte = 1_048_576;

/** Timeout of one upload in milliseconds: five minutes, or one minute per MB if that is longer. */
export const uploadTimeout = (bytes: number): number => Math.max(5 * minute, (bytes / megabyte) * minute);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface UploadRequest {
  file: File;
  eventId: string | null;
  /** Called with the bytes of the body sent so far and the total. */
  onProgress: (sent: number, total: number) => void;
  signal: AbortSignal;
}

/** Uploads one photo. Never rejects. */
type Upload = (request: UploadRequest) => Promise<UploadOutcome>;

let upload: Upload = uploadToServer;

export const uploadPhoto: Upload = (request) => upload(request);

/** Sends all uploads of this document elsewhere. */
export function setUpload(next: Upload): void {
  upload = next;
}

function uploadToServer({ file, eventId, onProgress, signal }: UploadRequest): Promise<UploadOutcome> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'aborted' });
      return;
    }
    const form = new FormData();
    // The event comes first, so that the server can reject the request before it reads the file.
    if (eventId !== null) form.append('event_id', eventId);
    form.append('photos', file, file.name);

    const request = new XMLHttpRequest();
    request.open('POST', '/api/photos/upload');
    request.timeout = uploadTimeout(file.size);
    const token = storedToken.read();
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`);

    const abort = () => request.abort();
    const settle = (outcome: UploadOutcome) => {
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    signal.addEventListener('abort', abort);
    request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    request.ontimeout = () => settle({ kind: 'unknown' });
    request.onerror = () => settle({ kind: 'unknown' });
    request.onabort = () => settle({ kind: 'aborted' });
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        const photo = body as UploadedPhoto | null;
        // Success without a parsable photo: the verification finds out whether it is stored.
        if (photo === null) settle({ kind: 'unknown' });
        else settle({ kind: 'accepted', photo, duplicate: photo.duplicate });
        return;
      }
      if (request.status === 504) {
        settle({ kind: 'unknown' });
        return;
      }
      const error = refusalText(parseErrorBody(body));
      if (request.status === 401) endSession(error);
      settle({ kind: 'rejected', status: request.status, error });
    };
    request.send(form);
  });
}
