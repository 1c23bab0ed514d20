import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';

const pageSize = 200;

export const photosKey = (eventId: string) => ['photos', eventId] as const;

/** Fetches a page of 200 photos of an event, newest first. */
export const fetchPhotoPage = (event_id: string, cursor: string | null, signal: AbortSignal) =>
  unwrapResponse(
    api.GET('/api/photos/search', {
      params: { query: { event_id, limit: pageSize, ...(cursor !== null && { cursor }) } },
      signal,
    }),
    'Failed to load photos. Please try again.',
  );

export type PhotoPage = Awaited<ReturnType<typeof fetchPhotoPage>>;

/** The photos of an event, newest first, paginated by `next_cursor`. */
export const photosQuery = (eventId: string) =>
  infiniteQueryOptions({
    queryKey: photosKey(eventId),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => fetchPhotoPage(eventId, pageParam, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export const deletePhoto = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/photos/{id}', { params: { path: { id } } }),
    'Failed to delete the photo. Please try again.',
  );
