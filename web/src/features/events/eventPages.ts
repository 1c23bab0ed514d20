import { t } from '@lingui/core/macro';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
} from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';
import type { Event } from '../../shared/api/types';
import { eventListKey, eventsKey, indexingInterval, isIndexing } from '../../shared/events/queries';
import type { Session } from '../../shared/session/session';

/** A page fills rows of two and of three cards. */
export const pageSize = 24;

const eventPagesKey = [...eventsKey, 'pages'] as const;

const fetchEventPage = (name: string, cursor: string | null, signal: AbortSignal) =>
  unwrapResponse(
    api.GET('/api/events/search', {
      params: {
        query: { limit: pageSize, ...(name !== '' && { name }), ...(cursor !== null && { cursor }) },
      },
      signal,
    }),
    t`Failed to load events`,
  );

type EventPage = Awaited<ReturnType<typeof fetchEventPage>>;

/** The photographer's events whose name has the part `name`, newest first and page by page. */
export const eventPagesQuery = ({ token, isPhotographer }: Session, name: string) =>
  infiniteQueryOptions({
    queryKey: [...eventPagesKey, token, name],
    queryFn: ({ pageParam, signal }) => fetchEventPage(name, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    enabled: isPhotographer,
    // The events of the name before stay while those of the next one are found.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ events }) => events.some(isIndexing)) === true ? indexingInterval : false,
  });

/** Changes the events that are loaded, in the list of all and in its pages. */
export function changeEvents(client: QueryClient, change: (events: Event[]) => Event[]): void {
  client.setQueriesData<Event[]>({ queryKey: eventListKey }, (events) => events && change(events));
  client.setQueriesData<InfiniteData<EventPage>>(
    { queryKey: eventPagesKey },
    (loaded) =>
      loaded && {
        ...loaded,
        pages: loaded.pages.map((page) => ({ ...page, events: change(page.events) })),
      },
  );
}
