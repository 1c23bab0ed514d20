import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../shared/api/client';
import { guestRequestsKey } from '../../../shared/notifications/guestRequests';

/** The requests of guests in an event, newest first. */
export const guestRequestsQuery = (eventId: string) =>
  queryOptions({
    queryKey: guestRequestsKey(eventId),
    queryFn: async ({ signal }) => {
      const { objections } = await unwrapResponse(
        api.GET('/api/events/{event}/objections', { params: { path: { event: eventId } }, signal }),
        t`The requests of guests could not be loaded.`,
      );
      return objections;
    },
  });

/** Undoes a request, or holds it up again; for some of its photos, or all. */
export const decideGuestRequest = (id: string, in_force: boolean, photo_ids?: string[]) =>
  unwrapResponse(
    api.PUT('/api/objections/{id}', {
      params: { path: { id } },
      body: { in_force, ...(photo_ids !== undefined && { photo_ids }) },
    }),
    t`The decision could not be saved. Please try again.`,
  );

export type GuestRequest = Awaited<ReturnType<typeof decideGuestRequest>>;
