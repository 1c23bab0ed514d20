import { api, unwrapResponse } from '../../shared/api/client';
import { ApiError } from '../../shared/api/errors';
import { uploadPhoto } from '../../shared/api/upload';
import type { LookupPorts } from './lookups';
import type { QueueItem } from './queue';
import type { UploaderPorts } from './uploader';

/** Milliseconds after which a search that is not answered counts as unreachable. */
const searchTimeout = 15_000;

export const uploadItem: UploaderPorts['upload'] = ({ file, eventId }, onProgress, signal) =>
  uploadPhoto({
    file,
    eventId,
    signal,
    onProgress: (sent, total) => onProgress(total === 0 ? 1 : sent / total),
  });

/** Searches for the file by its exact name and size; an older photo of the same name differs in size. */
export async function findStoredPhoto({
  filename,
  size,
  eventId,
}: QueueItem): Promise<'stored' | 'missing' | 'unreachable'> {
  const query = eventId === null ? { filename } : { filename, event_id: eventId };
  try {
    const { photos } = await unwrapResponse(
      api.GET('/api/photos/search', { params: { query }, signal: AbortSignal.timeout(searchTimeout) }),
      // eslint-disable-next-line lingui/no-unlocalized-strings -- nobody sees it: the error is caught below
      'The photos could not be searched.',
    );
    const stored = photos.some(
      (photo) =>
        (photo.original_filename === filename || photo.filename === filename) && photo.size_bytes === size,
    );
    return stored ? 'stored' : 'missing';
  } catch (error) {
    // An error response counts as not found; without a response the search can be repeated.
    return error instanceof ApiError && error.status === 0 ? 'unreachable' : 'missing';
  }
}

/** Milliseconds after which a question for known files counts as not answered. */
const questionTimeout = 10_000;

/** Those of the hashes whose files are in the event already; null without an answer. */
export const findKnownPhotos: LookupPorts['findKnown'] = async (hashes, eventId) => {
  try {
    const { known } = await unwrapResponse(
      api.POST('/api/photos/known', {
        body: { event_id: eventId, hashes: [...hashes] },
        signal: AbortSignal.timeout(questionTimeout),
      }),
      // eslint-disable-next-line lingui/no-unlocalized-strings -- nobody sees it: the error is caught below
      'The photos that are there could not be found out.',
    );
    return new Set(known);
  } catch {
    // Nothing depends on the answer: the server recognises a file that it has when it is uploaded.
    return null;
  }
};
