import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
} from '@tanstack/react-query';
import type { Event } from '../api/types';
import type { Session } from '../session/session';
import { eventListsKey, eventsKey, searchEvents } from './queries';

/** A page fills rows of two and of three cards. */
export const pageSize = 24;

const eventPagesKey = [...eventsKey, 'pages'] as const;

const fetchEventPage = (name: string, shared: boolean, cursor: string | null, signal: AbortSignal) =>
  searchEvents(
    {
      limit: pageSize,
      ...(name !== '' && { name }),
      ...(shared && { shared }),
      ...(cursor !== null && { cursor }),
    },
    signal,
  );

type EventPage = Awaited<ReturnType<typeof fetchEventPage>>;

/**
 * The photographer's own events whose name has the part `name`, or those that are shared with them, newest first and page by
 * page.
 */
export const eventPagesQuery = ({ token, isPhotographer }: Session, name: string, shared = false) =>
  infiniteQueryOptions({
    queryKey: [...eventPagesKey, token, shared, name],
    queryFn: ({ pageParam, signal }) => fetchEventPage(name, shared, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    enabled: isPhotographer,
    // The events of the name before stay while those of the next one are found.
    placeholderData: keepPreviousData,
  });

/** The events of the pages that are loaded. */
export const eventsOf = (loaded: InfiniteData<EventPage> | undefined): Event[] | undefined =>
  loaded?.pages.flatMap((page) => page.events);

/** Changes the events that are loaded, in the lists and in the pages. */
export function changeEvents(client: QueryClient, change: (events: Event[]) => Event[]): void {
  client.setQueriesData<Event[]>({ queryKey: eventListsKey }, (events) => events && change(events));
  client.setQueriesData<InfiniteData<EventPage>>(
    { queryKey: eventPagesKey },
    (loaded) =>
      loaded && {
        ...loaded,
        pages: loaded.pages.map((page) => ({ ...page, events: change(page.events) })),
      },
  );
}

/** An event that is loaded in one of the lists or pages. */
export function loadedEvent(client: QueryClient, id: string): Event | undefined {
  const lists = client.getQueriesData<Event[]>({ queryKey: eventListsKey }).map(([, events]) => events);
  const pages = client
    .getQueriesData<InfiniteData<EventPage>>({ queryKey: eventPagesKey })
    .map(([, loaded]) => eventsOf(loaded));
  return [...lists, ...pages].flatMap((events) => events ?? []).find((event) => event.id === id);
}
