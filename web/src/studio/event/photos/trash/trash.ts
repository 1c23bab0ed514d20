import { t } from '@lingui/core/macro';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
import { type Chosen, choices } from '../../../shared/events/albums/choices';

const pageSize = 200;

export const trashKey = (eventId: string) => ['trash', eventId] as const;

/** The deleted photos of an event, those that were deleted last first. */
export const trashQuery = (eventId: string) =>
  infiniteQueryOptions({
    queryKey: trashKey(eventId),
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        api.GET('/api/photos/trash', {
          params: {
            query: { event_id: eventId, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
        t`Failed to load the trash. Please try again.`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
  });

export type TrashPage = Awaited<
  ReturnType<Exclude<ReturnType<typeof trashQuery>['queryFn'], symbol | undefined>>
>;
export type TrashedPhoto = TrashPage['photos'][number];

/** The thumbnail of a deleted photo, to which no link leads. */
export const trashThumbnailQuery = (id: string) =>
  queryOptions({
    queryKey: ['trashThumbnail', id] as const,
    queryFn: async ({ signal }): Promise<Blob> =>
      unwrapResponse(
        api.GET('/api/photos/trash/{id}/thumbnail', { params: { path: { id } }, parseAs: 'blob', signal }),
        t`Failed to load`,
      ),
    staleTime: Infinity,
    retry: false,
  });

/** Restores deleted photos; returns how many there were. */
export async function restorePhotos(eventId: string, chosen: Chosen): Promise<number> {
  let restored = 0;
  for (const body of choices(eventId, chosen)) {
    const answer = await unwrapResponse(
      api.POST('/api/photos/trash/restore', { body }),
      t`The photos could not be restored. Please try again.`,
    );
    restored += answer.restored;
  }
  return restored;
}

/**
 * Removes deleted photos for good; returns how many there were. All are those that were deleted by `through`, which is a moment as
 * the list has it: the server knows it to the millisecond.
 */
export async function removeForGood(
  eventId: string,
  chosen: readonly string[] | { through: string },
): Promise<number> {
  let removed = 0;
  const bodies =
    'through' in chosen
      ? [{ event_id: eventId, all: true, deleted_through: chosen.through }]
      : choices(eventId, chosen);
  for (const body of bodies) {
    const answer = await unwrapResponse(
      api.POST('/api/photos/trash/remove', { body }),
      t`The photos could not be deleted. Please try again.`,
    );
    removed += answer.removed;
  }
  return removed;
}
