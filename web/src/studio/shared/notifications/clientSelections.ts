import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { components } from '../../../platform/api/schema.gen';

export type ClientSelection = components['schemas']['ClientSelection'];

/** How often is asked for more, in milliseconds; they are no emergency. */
const interval = 60_000;

/** What clients were asked to choose of an event, and have chosen; the newest last. */
export const clientSelectionsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['client-selections', eventId] as const,
    queryFn: async ({ signal }): Promise<ClientSelection[]> => {
      const { selections } = await unwrapResponse(
        api.GET('/api/events/{event}/selections', { params: { path: { event: eventId } }, signal }),
        t`The selections could not be loaded.`,
      );
      return selections;
    },
    refetchInterval: interval,
  });
