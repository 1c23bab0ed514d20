import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';

/** Polling interval in milliseconds while photos are being indexed. */
const indexingInterval = 10_000;

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['public event', slug],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{slug}', { params: { path: { slug } }, signal }),
        'The event could not be loaded',
      ),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.indexing.waiting > 0 ? indexingInterval : false,
  });
