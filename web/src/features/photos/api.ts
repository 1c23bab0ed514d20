import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../shared/api/client';

export const pageSize = 200;

export const photosKey = (eventId: string) => ['photos', eventId] as const;

/** Fetches a page of photos of an event, newest first. Any photo's id is the cursor of the photos older than it. */
export const fetchPhotoPage = (
  event_id: string,
  cursor: string | null,
  signal: AbortSignal,
  limit: number = pageSize,
) =>
  unwrapResponse(
    api.GET('/api/photos/search', {
      params: { query: { event_id, limit, ...(cursor !== null && { cursor }) } },
      signal,
    }),
    t`Failed to load photos. Please try again.`,
  );

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

/** Tries again to process a photo that failed; returns it as it is then. */
export const retryPhoto = (id: string) =>
  unwrapResponse(
    api.POST('/api/photos/{id}/retry', { params: { path: { id } } }),
    t`The photo could not be tried again. Please try again.`,
  );

export const deletePhoto = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/photos/{id}', { params: { path: { id } } }),
    t`Failed to delete the photo. Please try again.`,
  );
