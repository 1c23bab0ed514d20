import { api, unwrapResponse } from '../../shared/api/client';
import { ApiError } from '../../shared/api/errors';
import { uploadPhoto } from '../../shared/api/upload';
import type { QueueItem } from './queue';
import type { UploaderPorts } from './uploader';

export const sendItem: UploaderPorts['send'] = ({ file, eventId }, onProgress, signal) =>
  uploadPhoto({
    file,
    eventId,
    signal,
    onProgress: (sent, total) => onProgress(total === 0 ? 1 : sent / total),
  });

/** Looks the file up by its exact name; an older photo of the same name differs in size. */
export async function lookFor({
  filename,
  size,
  eventId,
}: QueueItem): Promise<'stored' | 'missing' | 'unreachable'> {
  const query = eventId === null ? { filename } : { filename, event_id: eventId };
  try {
    const { photos } = await unwrapResponse(
      api.GET('/api/photos/search', { params: { query } }),
      'The photos could not be searched.',
    );
    const stored = photos.some(
      (photo) =>
        (photo.original_filename === filename || photo.filename === filename) && photo.size_bytes === size,
    );
    return stored ? 'stored' : 'missing';
  } catch (error) {
    // A search that is refused has found nothing; one that got no answer can be made again.
    return error instanceof ApiError && error.status === 0 ? 'unreachable' : 'missing';
  }
}
