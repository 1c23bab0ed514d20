import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';
import type { Event } from '../api/types';
import type { Session } from '../session/session';

/** Everything that has events. */
export const eventsKey = ['events'] as const;
/** The lists of events below; pages have a form of their own. */
export const eventListsKey = [...eventsKey, 'lists'] as const;
/** The events that are being deleted. */
export const deletingEventsKey = [...eventListsKey, 'deleting'] as const;

/** Milliseconds between two looks at the progress of photos that are being indexed. */
const indexingInterval = 5000;

/** The most events that the server answers at once. */
const maxEvents = 200;

interface Wanted {
  name?: string;
  ids?: string;
  deleting?: boolean;
  /** Those that are shared with the photographer, instead of their own. */
  shared?: boolean;
  limit: number;
  cursor?: string;
}

export const searchEvents = (query: Wanted, signal: AbortSignal) =>
  unwrapResponse(api.GET('/api/events/search', { params: { query }, signal }), t`Failed to load events`);

/** Those of these events that are the photographer's, or shared with them, newest first; enabled only for one who is logged in. */
export const eventsOfQuery = ({ token, isPhotographer }: Session, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...eventListsKey, 'ids', token, ...ids],
    queryFn: async ({ signal }): Promise<Event[]> => {
      const asked = ids.slice(0, maxEvents);
      return (await searchEvents({ ids: asked.join(','), limit: asked.length }, signal)).events;
    },
    enabled: isPhotographer && ids.length > 0,
  });

/** One event: null when it is neither the photographer's nor shared with them. */
export const eventQuery = (session: Session, id: string | undefined) => ({
  ...eventsOfQuery(session, id === undefined ? [] : [id]),
  select: firstOrNull,
});

/** The photographer's newest event: null when there is none. */
export const newestEventQuery = ({ token, isPhotographer }: Session) => ({
  ...queryOptions({
    queryKey: [...eventListsKey, 'newest', token],
    queryFn: async ({ signal }): Promise<Event[]> => (await searchEvents({ limit: 1 }, signal)).events,
    enabled: isPhotographer,
  }),
  select: firstOrNull,
});

const firstOrNull = (events: Event[]): Event | null => events[0] ?? null;

/** The events whose name has the part `name` that are shared with the photographer, newest first. */
export const sharedEventsQuery = ({ token, isPhotographer }: Session, name: string) =>
  queryOptions({
    queryKey: [...eventListsKey, 'shared', token, name],
    queryFn: async ({ signal }): Promise<Event[]> =>
      (await searchEvents({ shared: true, limit: maxEvents, ...(name !== '' && { name }) }, signal)).events,
    enabled: isPhotographer,
  });

/** The photographer's events that are being deleted. */
export const deletingEventsQuery = ({ token, isPhotographer }: Session) =>
  queryOptions({
    queryKey: [...deletingEventsKey, token],
    queryFn: async ({ signal }): Promise<Event[]> =>
      (await searchEvents({ deleting: true, limit: maxEvents }, signal)).events,
    enabled: isPhotographer,
  });

/** How long to wait until the progress of these events is looked at again. */
export const indexingPause = (events: readonly Event[] | undefined): number | false =>
  events?.some((event) => event.indexing.waiting > 0) === true ? indexingInterval : false;
