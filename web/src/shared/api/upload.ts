import { storedToken } from '../storage';
import { endSession } from './client';
import { refusalIn } from './errors';
import type { UploadedPhoto } from './types';

// The one use of XMLHttpRequest: fetch cannot tell how much of a body has been sent.

/** How sending one photo ended. `unclear` means that nobody can say whether the server has it. */
export type UploadOutcome =
  | { kind: 'accepted'; photo: UploadedPhoto; duplicate: boolean }
  | { kind: 'unclear' }
  | { kind: 'refused'; status: number; error: string | undefined }
  | { kind: 'aborted' };

const minute = 60_000;
const megabyte = 1_048_576;

/** Milliseconds one upload may take: five minutes, or a minute per MB where that is more. */
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
  /** Called with the bytes of the body sent so far and their total. */
  onProgress: (sent: number, total: number) => void;
  signal: AbortSignal;
}

/** Sends one photo and says how that ended; never throws. */
export function uploadPhoto({ file, eventId, onProgress, signal }: UploadRequest): Promise<UploadOutcome> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'aborted' });
      return;
    }
    const form = new FormData();
    // The event goes first, so that a refusal need not wait for the picture.
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
    request.ontimeout = () => settle({ kind: 'unclear' });
    request.onerror = () => settle({ kind: 'unclear' });
    request.onabort = () => settle({ kind: 'aborted' });
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        const photo = body as UploadedPhoto | null;
        // Accepted without a readable photo: whether it is there is for the verification to say.
        if (photo === null) settle({ kind: 'unclear' });
        else settle({ kind: 'accepted', photo, duplicate: photo.duplicate });
        return;
      }
      if (request.status === 504) {
        settle({ kind: 'unclear' });
        return;
      }
      if (request.status === 401) endSession();
      settle({ kind: 'refused', status: request.status, error: refusalIn(body).text });
    };
    request.send(form);
  });
}
