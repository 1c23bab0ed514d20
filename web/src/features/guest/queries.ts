import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';
import { ApiError } from '../../shared/api/errors';

/** Polling interval in milliseconds while photos are being indexed. */
const indexingInterval = 10_000;

/** Milliseconds: the first pause after which an event that could not be loaded is asked for again, and the longest. */
const firstPause = 2000;
const longestPause = 30_000;

const retryPause = (failures: number) => Math.min(firstPause * 2 ** (failures - 1), longestPause);

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** An event that could not be loaded for another reason than that it is missing is asked for again until it is there. */
export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['public event', slug],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{slug}', { params: { path: { slug } }, signal }),
        'The event could not be loaded',
      ),
    retry: false,
    refetchInterval: ({ state: { data, error, errorUpdateCount } }) => {
      if (data !== undefined) return data.indexing.waiting > 0 && indexingInterval;
      return error !== null && !isMissing(error) && retryPause(errorUpdateCount);
    },
  });
