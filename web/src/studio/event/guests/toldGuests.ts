import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

/** How many guests of an event asked to be told of new photos. */
export const toldGuestsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['told-guests', eventId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}/subscriptions', { params: { path: { event: eventId } }, signal }),
        t`How many guests wait for new photos could not be loaded.`,
      ),
  });
