import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import { eventsKey } from './events';

/** The event as the server answers it to guests: with the studio of its owner, and without each cover that its team alone sees. */
export const guestEventQuery = (slug: string) =>
  queryOptions({
    queryKey: [...eventsKey, 'guests', slug],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}', { params: { path: { event: slug } }, signal }),
        t`Failed to load events`,
      ),
  });
