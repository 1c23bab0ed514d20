import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

export const eventPinKey = (id: string) => ['event-pin', id] as const;

/** The PIN of an event, by its id, although the path parameter is named slug; null when it asks for none. */
export const eventPinQuery = (id: string, enabled: boolean) =>
  queryOptions({
    queryKey: eventPinKey(id),
    queryFn: async ({ signal }): Promise<string | null> => {
      const { pin } = await unwrapResponse(
        api.GET('/api/events/{event}/pin', { params: { path: { event: id } }, signal }),
        t`The PIN could not be loaded.`,
      );
      return pin ?? null;
    },
    enabled,
    // It is shown to be copied to paper: another tab may have changed it.
    staleTime: 0,
  });
