import { api, unwrapResponse } from '../../../platform/api/client';
import { ApiError } from '../../../platform/api/errors';
import { uploadPhoto } from '../../../platform/api/upload';
import { createHasher } from './hashing';
import type { LookupPorts } from './lookups';
import type { QueueItem } from './queue';
import type { UploaderPorts } from './uploader';
import type { VersionPorts } from './versionLookups';

/** The hash of a file as it is now, computed in a worker of its own: several uploads begin at the same time. */
async function hashOf(file: File): Promise<string | null> {
  const hasher = createHasher();
  if (hasher === null) return null;
  const hash = await hasher.hash(file);
  hasher.stop();
  return hash;
}

/** Milliseconds after which a search that is not answered counts as unreachable. */
const searchTimeout = 15_000;

export const uploadItem: UploaderPorts['upload'] = ({ file, eventId, replaces }, onProgress, signal) =>
  uploadPhoto({
    file,
    hash: () => hashOf(file),
    eventId,
    replaces: replaces === true,
    signal,
    onProgress: (sent, total) => onProgress(total === 0 ? 1 : sent / total),
  });

/** The text of an error that is caught and shown to nobody. */
const unseen = '';

/**
 * Searches for the file by its exact name and size, and then asks whether what was found has its bytes: an edited file may have
 * the name and the size of the photo that is there.
 */
export async function findStoredPhoto(
  { file, filename, size, eventId }: QueueItem,
  hash = hashOf,
): Promise<'stored' | 'missing' | 'unreachable'> {
  const query = eventId === null ? { filename } : { filename, event_id: eventId };
  try {
    const { photos } = await unwrapResponse(
      api.GET('/api/photos/search', { params: { query }, signal: AbortSignal.timeout(searchTimeout) }),
      unseen,
    );
    const isNamed = photos.some(
      (photo) =>
        (photo.original_filename === filename || photo.filename === filename) && photo.size_bytes === size,
    );
    const bytes = isNamed ? await hash(file) : null;
    if (bytes === null) return 'missing';
    const known = await askForKnown([bytes], eventId);
    return known.has(bytes) ? 'stored' : 'missing';
  } catch (error) {
    // An error response counts as not found; without a response the search can be repeated.
    return error instanceof ApiError && error.status === 0 ? 'unreachable' : 'missing';
  }
}

/** Milliseconds after which a question for known files counts as not answered: the server reads what it says it has. */
const questionTimeout = 60_000;

async function askForKnown(
  hashes: readonly string[],
  eventId: string | null,
): Promise<ReadonlyMap<string, string>> {
  const { known, photo_ids: ids } = await unwrapResponse(
    api.POST('/api/photos/known', {
      body: { event_id: eventId, hashes: [...hashes] },
      signal: AbortSignal.timeout(questionTimeout),
    }),
    unseen,
  );
  return new Map(known.map((hash, at) => [hash, ids[at] ?? '']));
}

/** The photos of the event that have these hashes; null without an answer. */
export const findKnownPhotos: LookupPorts['findKnown'] = async (hashes, eventId) => {
  try {
    return await askForKnown(hashes, eventId);
  } catch {
    // Nothing depends on the answer: the server recognises a file that it has when it is uploaded.
    return null;
  }
};

/** The photos that files of these names would take the place of. */
export const findVersions: VersionPorts['find'] = async (names, eventId) => {
  try {
    const { versions } = await unwrapResponse(
      api.POST('/api/photos/versions', {
        body: { event_id: eventId, names: [...names] },
        signal: AbortSignal.timeout(searchTimeout),
      }),
      unseen,
    );
    return new Map(
      versions.map(({ name, photo_id: photoId, filename, free }) => [name, { photoId, filename, free }]),
    );
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 0) return 'unreachable';
    return status === 429 || status >= 500 ? 'later' : 'refused';
  }
};

/** The id of the photo that a file is, by its bytes; null if it is not there. */
export async function findPhotoId({
  file,
  eventId,
}: Pick<QueueItem, 'file' | 'eventId'>): Promise<string | null> {
  const hash = await hashOf(file);
  return hash === null ? null : ((await askForKnown([hash], eventId)).get(hash) ?? null);
}
