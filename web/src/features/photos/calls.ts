import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../shared/api/client';
import type { Photo } from '../../shared/api/types';

const pageSize = 200;
/** Milliseconds between two looks at photos whose faces are still being found. */
const watchInterval = 4000;

export const photosKey = (eventId: string) => ['photos', eventId] as const;

/** An event's photos, newest first, page by page as `next_cursor` leads. */
export const photosQuery = (event_id: string) =>
  infiniteQueryOptions({
    queryKey: photosKey(event_id),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/api/photos/search', {
          params: {
            query: { event_id, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
        'Failed to load photos. Please try again.',
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ photos }) => photos.some(isProcessing)) === true ? watchInterval : false,
  });

const isProcessing = ({ status }: Photo): boolean => status === 'processing';

export const deletePhoto = (id: string) =>
  answerOf(
    api.DELETE('/api/photos/{id}', { params: { path: { id } } }),
    'Failed to delete the photo. Please try again.',
  );
