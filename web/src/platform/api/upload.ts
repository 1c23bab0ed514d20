import { storedToken } from '../storage/storage';
import type { UploadedPhoto } from './types';
import { parseBody, rejectedUpload, type UploadOutcome, type UploadRequest } from './uploadOutcomes';

// The only use of XMLHttpRequest: fetch does not report upload progress.

export type { UploadOutcome, UploadRequest };

const minute = 60_000;
const megabyte = 1_048_576;

/** Timeout of one upload in milliseconds: five minutes, or one minute per MB if that is longer. */
export const uploadTimeout = (bytes: number): number => Math.max(5 * minute, (bytes / megabyte) * minute);

/** Uploads one photo. Never rejects. */
type Upload = (request: UploadRequest) => Promise<UploadOutcome>;

let upload: Upload = uploadToServer;

export const uploadPhoto: Upload = (request) => upload(request);

/** Sends all uploads of this document elsewhere. */
export function setUpload(next: Upload): void {
  upload = next;
}

/** Bytes from which a photo travels in pieces: below, it is sent again as fast as one finds out what is there. */
const piecesFrom = 5 * megabyte;

async function uploadToServer(request: UploadRequest): Promise<UploadOutcome> {
  if (request.file.size >= piecesFrom) {
    const pieces = await import('./uploadInPieces').catch(() => null);
    const outcome = (await pieces?.uploadInPieces(request)) ?? null;
    if (outcome !== null) return outcome;
  }
  return uploadInOnePiece(request);
}

function uploadInOnePiece({
  file,
  eventId,
  replaces,
  onProgress,
  signal,
}: UploadRequest): Promise<UploadOutcome> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'aborted' });
      return;
    }
    const form = new FormData();
    // The event comes first, so that the server can reject the request before it reads the file.
    if (eventId !== null) form.append('event_id', eventId);
    if (replaces) form.append('replace', 'true');
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
      const body = parseBody(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        const photo = body as UploadedPhoto | null;
        // Success without a parsable photo: the verification finds out whether it is stored.
        if (photo === null) settle({ kind: 'unknown' });
        else settle({ kind: 'accepted', photo, photoId: photo.id, duplicate: photo.duplicate });
        return;
      }
      if (request.status === 504) {
        settle({ kind: 'unknown' });
        return;
      }
      settle(rejectedUpload(request.status, body));
    };
    request.send(form);
  });
}
