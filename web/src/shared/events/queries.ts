import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';
import type { Event } from '../api/types';
import type { Session } from '../session/session';

/** Everything that has events. */
export const eventsKey = ['events'] as const;
/** The list of all events. */
export const eventListKey = [...eventsKey, 'all'] as const;

/** Milliseconds between two looks at the progress of photos that are being indexed. */
export const indexingInterval = 5000;

/** The photographer's events, newest first; enabled only for a photographer who is logged in. */
export const eventsQuery = ({ token, isPhotographer }: Session) =>
  queryOptions({
    queryKey: [...eventListKey, token],
    queryFn: ({ signal }): Promise<Event[]> =>
      unwrapResponse(api.GET('/api/events/', { signal }), t`Failed to load events`),
    enabled: isPhotographer,
    // Polls while photos are being indexed, to update the progress.
    refetchInterval: (query) => (query.state.data?.some(isIndexing) === true ? indexingInterval : false),
  });

export const isIndexing = (event: Event): boolean => event.indexing.waiting > 0;
