import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { Photo, PhotoFaces, PhotoIds } from '../../../platform/api/types';
import { type Chosen, choices } from '../../shared/events/albums/choices';

export const pageSize = 200;

/** A list of an event's photos: the parameters by which the server chooses and sorts them. */
export type PhotoList = string;

/** All photos of an event, newest first. */
export const allPhotos: PhotoList = '';

/** Those that a person is in. */
export const personList = (personId: string): PhotoList =>
  new URLSearchParams({ person_id: personId }).toString();

/** The lists of an event that are loaded. */
export const photoListsKey = (eventId: string) => ['photos', eventId] as const;
export const photosKey = (eventId: string, list: PhotoList) => [...photoListsKey(eventId), list] as const;

/** Fetches a page of a list of an event. Any photo's id is the cursor of the photos after it. */
export const fetchPhotoPage = (
  event_id: string,
  list: PhotoList,
  cursor: string | null,
  signal: AbortSignal,
  limit: number = pageSize,
) =>
  unwrapResponse(
    api.GET('/api/photos/search', {
      params: {
        query: {
          event_id,
          limit,
          ...Object.fromEntries(new URLSearchParams(list)),
          ...(cursor !== null && { cursor }),
        },
      },
      signal,
    }),
    t`Failed to load photos. Please try again.`,
  );

/** The ids of all photos of a list, in its order. `onCount` is told how many there are so far. */
export async function fetchPhotoIds(
  event_id: string,
  list: PhotoList,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: PhotoIds = await unwrapResponse(
      api.GET('/api/photos/search/ids', {
        params: {
          query: {
            event_id,
            ...Object.fromEntries(new URLSearchParams(list)),
            ...(cursor !== null && { cursor }),
          },
        },
        signal,
      }),
      t`Failed to load photos. Please try again.`,
    );
    for (const id of page.photo_ids) ids.push(id);
    onCount(ids.length);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return ids;
}

export type PhotoPage = Awaited<ReturnType<typeof fetchPhotoPage>>;

/** The bytes of a photo as they were uploaded. */
export const fetchOriginal = (id: string): Promise<Blob> =>
  unwrapResponse(
    api.GET('/api/photos/{id}/file', {
      params: { path: { id }, query: { size: 'original' } },
      parseAs: 'blob',
    }),
    t`Failed to download photo. Please try again.`,
  );

/** Where the faces of a photo are that were found in it. */
export const photoFacesQuery = ({ id, faces }: Pick<Photo, 'id' | 'faces'>) =>
  queryOptions({
    // After another processing there may be others.
    queryKey: ['photoFaces', id, faces] as const,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/photos/{id}/faces', { params: { path: { id } }, signal }),
        t`Failed to load the faces. Please try again.`,
      ),
  });

export type FacePlace = PhotoFaces['faces'][number];

/** Tries again to process a photo that failed; returns it as it is then. */
export const retryPhoto = (id: string) =>
  unwrapResponse(
    api.POST('/api/photos/{id}/retry', { params: { path: { id } } }),
    t`The photo could not be tried again. Please try again.`,
  );

/** Deletes photos of an event, which can be restored for a week; returns those that were not gone already. */
export async function deletePhotos(eventId: string, ids: readonly string[]): Promise<string[]> {
  const deleted: string[] = [];
  for (const body of choices(eventId, ids)) {
    const { photo_ids } = await unwrapResponse(
      api.POST('/api/photos/trash', { body }),
      t`The photos could not be deleted. Please try again.`,
    );
    for (const id of photo_ids) deleted.push(id);
  }
  return deleted;
}

/** A token for the ZIP of these photos of an event; all are those of an album where its id is given. */
export const createDownload = (eventId: string, chosen: Chosen, album = '') =>
  unwrapResponse(
    api.POST('/api/photos/download', {
      body: {
        event_id: eventId,
        ...(chosen === 'all' ? { all: true } : { photo_ids: [...chosen], all: false }),
        ...(album !== '' && { album_id: album }),
      },
    }),
    t`The photos could not be prepared for download. Please try again.`,
  );
