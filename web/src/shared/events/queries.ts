import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';
import type { Event } from '../api/types';
import type { Session } from '../session/session';

export const eventsKey = ['events'] as const;

/** The photographer's events, newest first; enabled only for a photographer who is logged in. */
export const eventsQuery = ({ token, isPhotographer }: Session) =>
  queryOptions({
    queryKey: [...eventsKey, token],
    queryFn: ({ signal }): Promise<Event[]> =>
      unwrapResponse(api.GET('/api/events/', { signal }), t`Failed to load events`),
    enabled: isPhotographer,
    // Polls while photos are being indexed, to update the progress.
    refetchInterval: (query) => (query.state.data?.some(isIndexing) === true ? 5000 : false),
  });

const isIndexing = (event: Event): boolean => event.indexing.waiting > 0;
