import { answerOf, api } from '../../shared/api/client';
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
export async function isStored({ filename, file, eventId }: QueueItem): Promise<boolean> {
  const query = eventId === null ? { filename } : { filename, event_id: eventId };
  const { photos } = await answerOf(
    api.GET('/api/photos/search', { params: { query } }),
    'The photos could not be searched.',
  );
  return photos.some(
    (photo) =>
      (photo.original_filename === filename || photo.filename === filename) && photo.size_bytes === file.size,
  );
}
