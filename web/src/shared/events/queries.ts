import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';
import type { Event } from '../api/types';
import type { Session } from '../session/session';

export const eventsKey = ['events'] as const;

/** The photographer's events, newest first; fetched only for a photographer who is logged in. */
export const eventsQuery = ({ token, isPhotographer }: Session) =>
  queryOptions({
    queryKey: [...eventsKey, token],
    queryFn: ({ signal }): Promise<Event[]> =>
      unwrapResponse(api.GET('/api/events/', { signal }), 'Failed to load events'),
    enabled: isPhotographer,
    // A photographer watches the faces being found: the list says how far that is.
    refetchInterval: (query) => (query.state.data?.some(isIndexing) === true ? 5000 : false),
  });

const isIndexing = (event: Event): boolean => event.indexing.indexed < event.indexing.total;
