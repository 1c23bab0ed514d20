import { createAlbum, loadAlbums, putIntoAlbum } from '../../shared/events/albums/albums';
import { albumKey, type FolderAlbum } from './folders';
import type { QueueItem } from './queue';
import { findPhotoId } from './uploads';

/** A file that is a photo of the event; its id where that is known. */
export type PhotoFile = Pick<QueueItem, 'file' | 'eventId' | 'photoId'>;

/** The photos that files are. What the server had already, or has not named, is asked for by its bytes. */
async function photoIdsOf(items: readonly PhotoFile[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const item of items) {
    const id = item.photoId ?? (await findPhotoId(item));
    if (id !== null) ids.add(id);
  }
  return [...ids];
}

/**
 * Puts photos into the albums of their folders, of which those that are missing are made, and returns how many photos that are.
 * The same again changes nothing.
 */
export async function putFoldersIntoAlbums(
  eventId: string,
  albums: readonly FolderAlbum<PhotoFile>[],
): Promise<number> {
  const there = new Map((await loadAlbums(eventId)).map(({ id, name }) => [albumKey(name), id]));
  let photos = 0;
  for (const { name, items } of albums) {
    const ids = await photoIdsOf(items);
    if (ids.length === 0) continue;
    const album = there.get(albumKey(name)) ?? (await createAlbum(eventId, name)).id;
    await putIntoAlbum(eventId, album, ids);
    photos += ids.length;
  }
  return photos;
}
