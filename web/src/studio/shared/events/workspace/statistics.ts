import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';

export const statisticsFailedText = (): string => t`Failed to load the statistics`;

/** What guests did with an event, by day. */
export const statisticsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['statistics', eventId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}/statistics', { params: { path: { event: eventId } }, signal }),
        statisticsFailedText(),
      ),
    staleTime: 0,
  });
