import { t } from '@lingui/core/macro';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { Event } from '../../../platform/api/types';
import { type Session, useSession } from '../../../platform/session/session';

/** Everything that has events. */
export const eventsKey = ['events'] as const;
/** The events, each under its id: null when it is neither the photographer's nor shared with them. */
const onesKey = [...eventsKey, 'one'] as const;
/** Lists of the ids of events. */
const listsKey = [...eventsKey, 'lists'] as const;

/** Milliseconds between two looks at the progress of photos that are being indexed. */
const indexingInterval = 5000;

/** The most events that the server answers at once. */
const maxEvents = 200;
/** A page fills rows of two and of three cards. */
export const pageSize = 24;

interface Wanted {
  name?: string;
  ids?: string;
  deleting?: boolean;
  /** Those that are shared with the photographer, instead of their own. */
  shared?: boolean;
  limit: number;
  cursor?: string;
}

const searchEvents = (query: Wanted, signal: AbortSignal) =>
  unwrapResponse(api.GET('/api/events/search', { params: { query }, signal }), t`Failed to load events`);

const oneKey = (token: string | null, id: string | undefined) => [...onesKey, token, id] as const;

/** One event; enabled only for a photographer who is logged in, as all queries here. */
export const eventQuery = ({ token, isPhotographer }: Session, id: string | undefined) =>
  queryOptions({
    queryKey: oneKey(token, id),
    queryFn: async ({ signal }): Promise<Event | null> =>
      (await searchEvents({ ids: id ?? '', limit: 1 }, signal)).events[0] ?? null,
    enabled: isPhotographer && id !== undefined,
  });

interface Fetching {
  client: QueryClient;
  signal: AbortSignal;
}

/** Finds events, of which each is kept under its id. */
async function findEvents(token: string | null, wanted: Wanted, { client, signal }: Fetching) {
  const { events, next_cursor } = await searchEvents(wanted, signal);
  for (const event of events) client.setQueryData(oneKey(token, event.id), event);
  return { ids: events.map(({ id }) => id), next: next_cursor ?? null };
}

const listQuery = ({ token, isPhotographer }: Session, name: string, wanted: Wanted) =>
  queryOptions({
    queryKey: [...listsKey, name, token, wanted] as const,
    queryFn: async (fetching): Promise<readonly string[]> => (await findEvents(token, wanted, fetching)).ids,
    enabled: isPhotographer,
  });

/** Those of these events that are the photographer's, or shared with them. */
export function eventsOfQuery(session: Session, ids: readonly string[]) {
  const asked = ids.slice(0, maxEvents);
  const query = listQuery(session, 'ids', { ids: asked.join(','), limit: Math.max(1, asked.length) });
  return { ...query, enabled: session.isPhotographer && asked.length > 0 };
}

/** The photographer's newest event: none when there is none. */
export const newestEventQuery = (session: Session) => listQuery(session, 'newest', { limit: 1 });

/** The events whose name has the part `name` that are shared with the photographer, newest first. */
export const sharedEventsQuery = (session: Session, name: string) =>
  listQuery(session, 'shared', { shared: true, limit: maxEvents, ...(name !== '' && { name }) });

/** The photographer's events that are being deleted. */
export const deletingEventsQuery = (session: Session) =>
  listQuery(session, 'deleting', { deleting: true, limit: maxEvents });

type ListQuery = ReturnType<typeof listQuery>;

interface Page {
  ids: readonly string[];
  next: string | null;
}

/**
 * The photographer's own events whose name has the part `name`, or those that are shared with them, newest first and page by
 * page.
 */
const eventPagesQuery = ({ token, isPhotographer }: Session, name: string, shared: boolean) =>
  infiniteQueryOptions({
    queryKey: [...eventsKey, 'pages', token, shared, name] as const,
    queryFn: ({ pageParam, client, signal }): Promise<Page> =>
      findEvents(
        token,
        {
          limit: pageSize,
          ...(name !== '' && { name }),
          ...(shared && { shared }),
          ...(pageParam !== null && { cursor: pageParam }),
        },
        { client, signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: isPhotographer,
    // The events of the name before stay while those of the next one are found.
    placeholderData: keepPreviousData,
  });

const idsOf = (loaded: InfiniteData<Page> | undefined) => loaded?.pages.flatMap(({ ids }) => ids);

const presentOf = (results: readonly { data: Event | null | undefined }[]): Event[] =>
  results.flatMap(({ data }) => data ?? []);

/** These events as they are now, without those that are gone; undefined while their ids are. */
function useEventsOf(ids: readonly string[] | undefined): Event[] | undefined {
  const session = useSession();
  const events = useQueries({
    // They are fetched by the list that has their ids.
    queries: (ids ?? []).map((id) => ({ ...eventQuery(session, id), enabled: false })),
    combine: presentOf,
  });
  return ids && events;
}

/** How long to wait until the progress of these events is looked at again. */
export const indexingPause = (events: readonly (Event | null | undefined)[] | undefined): number | false =>
  events?.some((event) => (event?.indexing.waiting ?? 0) > 0) === true ? indexingInterval : false;

interface ListOptions {
  refetchOnMount?: 'always';
  enabled?: boolean;
  /** Whether the list is fetched again while photos of its events are being indexed. */
  followsIndexing?: boolean;
}

function useListOptions({ followsIndexing = false, ...options }: ListOptions) {
  const client = useQueryClient();
  const { token } = useSession();
  const pauseOf = (ids: readonly string[] | undefined) =>
    followsIndexing && indexingPause(ids?.map((id) => client.getQueryData<Event | null>(oneKey(token, id))));
  return { options, pauseOf };
}

/** The events of a list. */
export function useEventList(query: ListQuery, listOptions: ListOptions = {}): Event[] | undefined {
  const { options, pauseOf } = useListOptions(listOptions);
  const { data } = useQuery({ ...query, ...options, refetchInterval: ({ state }) => pauseOf(state.data) });
  return useEventsOf(data);
}

/** The pages of events whose name has the part `name`, the photographer's own or those of others, and their events. */
export function useEventPages(name: string, shared = false, listOptions: ListOptions = {}) {
  const { options, pauseOf } = useListOptions(listOptions);
  const pages = useInfiniteQuery({
    ...eventPagesQuery(useSession(), name, shared),
    ...options,
    refetchInterval: ({ state }) => pauseOf(idsOf(state.data)),
  });
  return { pages, events: useEventsOf(idsOf(pages.data)) };
}

/** Changes an event where it is loaded; to null where it is gone. */
export function changeLoadedEvent(client: QueryClient, id: string, change: (event: Event) => Event | null) {
  client.setQueriesData<Event | null>(
    { queryKey: onesKey, predicate: ({ queryKey }) => queryKey.at(-1) === id },
    (event) => event && change(event),
  );
}

/** An event, where it is loaded. */
export const loadedEvent = (client: QueryClient, id: string): Event | undefined =>
  client
    .getQueriesData<Event | null>({ queryKey: onesKey, predicate: ({ queryKey }) => queryKey.at(-1) === id })
    .flatMap(([, event]) => event ?? [])[0];

/** Adds an event to those that are being deleted; an answer that is on its way may be of the time before. */
export async function addDeletingEvent(client: QueryClient, session: Session, id: string): Promise<void> {
  const { queryKey } = deletingEventsQuery(session);
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (ids: readonly string[] = []) => [...ids.filter((each) => each !== id), id]);
}
