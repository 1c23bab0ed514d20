import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
import type { Album } from '../../../../platform/api/types';
import { type Chosen, choices } from './choices';

export const maxNameLength = 60;

const failedText = () => t`The change could not be saved. Please try again.`;

/** The albums of an event as they are now, in their order. */
export async function loadAlbums(eventId: string, signal?: AbortSignal): Promise<Album[]> {
  const { albums } = await unwrapResponse(
    api.GET('/api/events/{event}/albums', {
      params: { path: { event: eventId } },
      ...(signal && { signal }),
    }),
    t`Failed to load the albums. Please try again.`,
  );
  return albums;
}

/** The albums of an event, in their order. */
export const albumsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['albums', eventId] as const,
    queryFn: ({ signal }) => loadAlbums(eventId, signal),
  });

export const createAlbum = (eventId: string, name: string) =>
  unwrapResponse(
    api.POST('/api/events/{event}/albums', { params: { path: { event: eventId } }, body: { name } }),
    failedText(),
  );

/** Puts the albums of an event into an order; resolves to them. */
export async function arrangeAlbums(eventId: string, album_ids: string[]): Promise<Album[]> {
  const { albums } = await unwrapResponse(
    api.PUT('/api/events/{event}/albums', { params: { path: { event: eventId } }, body: { album_ids } }),
    failedText(),
  );
  return albums;
}

export const renameAlbum = (id: string, name: string) =>
  unwrapResponse(api.PATCH('/api/albums/{id}', { params: { path: { id } }, body: { name } }), failedText());

export const deleteAlbum = (id: string) =>
  unwrapResponse(api.DELETE('/api/albums/{id}', { params: { path: { id } } }), failedText());

/** Puts photos of an event into an album, beside those that they are in; resolves to those that were not in it. */
export async function putIntoAlbum(eventId: string, album_id: string, chosen: Chosen): Promise<string[]> {
  const put: string[] = [];
  for (const body of choices(eventId, chosen)) {
    const call = api.POST('/api/photos/album', { body: { ...body, album_id } });
    for (const { photo_ids } of (await unwrapResponse(call, failedText())).changes) put.push(...photo_ids);
  }
  return put;
}

/** Takes photos of an event out of an album; resolves to those that were in it. */
export async function takeOutOfAlbum(
  eventId: string,
  album_id: string,
  photos: readonly string[],
): Promise<string[]> {
  const taken: string[] = [];
  for (const body of choices(eventId, photos)) {
    const call = api.POST('/api/photos/album', { body: { ...body, album_id, take_out: true } });
    for (const { photo_ids } of (await unwrapResponse(call, failedText())).changes) taken.push(...photo_ids);
  }
  return taken;
}
