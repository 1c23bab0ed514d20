import { t } from '@lingui/core/macro';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { components } from '../../../platform/api/schema.gen';
import type { Session } from '../../../platform/session/session';

type RequestSummary = components['schemas']['ObjectionSummaryBody'];

/** How often is asked for new requests, in milliseconds; they are no emergency. */
const interval = 60_000;

const newRequestsKey = ['requests', 'new'] as const;

/** The guests' requests that the photographer has not seen, in all events, newest first. */
export const newRequestsQuery = ({ token, isPhotographer }: Session) =>
  queryOptions({
    queryKey: [...newRequestsKey, token],
    queryFn: async ({ signal }): Promise<RequestSummary[]> => {
      // Nobody is told that it failed: it is asked again.
      const { objections } = await unwrapResponse(api.GET('/api/objections', { signal }), '');
      return objections.filter(({ seen }) => !seen);
    },
    enabled: isPhotographer,
    refetchInterval: interval,
  });

/** The key of the next query. */
export const guestRequestsKey = (eventId: string) => ['requests', eventId] as const;

/** The requests of guests in an event with their photos, newest first. */
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

/** Records that a request was seen, and with it those of its event before it; they are new again when that fails. */
export function useSeeRequests(): (request: { id: string; eventId: string }) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async ({ id, eventId }) => {
      const filter = { queryKey: newRequestsKey };
      await client.cancelQueries(filter);
      client.setQueriesData<RequestSummary[]>(filter, (now) =>
        now?.filter(({ event_id }) => event_id !== eventId),
      );
      await api.PUT('/api/objections/{id}/seen', { params: { path: { id } } }).catch(() => undefined);
      await Promise.all([
        client.invalidateQueries(filter),
        client.invalidateQueries({ queryKey: guestRequestsKey(eventId) }),
      ]);
    },
    [client],
  );
}
