import { t } from '@lingui/core/macro';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

const pageSize = 100;
/** Milliseconds after which a list is fetched again: faces are put together in the background. */
const refetchInterval = 15_000;

/** All that is known of the people of an event. */
export const peopleKey = (eventId: string) => ['people', eventId] as const;

/** The people of an event, those in most photos first; with `hidden`, those that were put aside instead. */
export const peopleQuery = (eventId: string, hidden: boolean) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey(eventId), 'list', hidden] as const,
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}/people', {
          params: {
            path: { event: eventId },
            query: {
              limit: pageSize,
              ...(hidden && { hidden }),
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
          signal,
        }),
        t`Failed to load the people. Please try again.`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    refetchInterval,
  });

/** One person of an event. */
export const personQuery = (eventId: string, id: string) =>
  queryOptions({
    queryKey: [...peopleKey(eventId), 'person', id] as const,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/people/{id}', { params: { path: { id } }, signal }),
        t`Failed to load this person. Please try again.`,
      ),
  });

/** Makes a person a part of another one. */
export const mergePerson = (id: string, into: string) =>
  unwrapResponse(
    api.POST('/api/people/{id}/merge', { params: { path: { id } }, body: { into } }),
    t`The people could not be merged. Please try again.`,
  );

/** Makes the faces of a person in these photos another person. */
export const splitPerson = (id: string, photo_ids: string[]) =>
  unwrapResponse(
    api.POST('/api/people/{id}/split', { params: { path: { id } }, body: { photo_ids } }),
    t`The photos could not be split off. Please try again.`,
  );

/** Puts a person aside, or takes them back. */
export const hidePerson = (id: string, hidden: boolean) =>
  unwrapResponse(
    api.PUT('/api/people/{id}', { params: { path: { id } }, body: { hidden } }),
    t`The change could not be saved. Please try again.`,
  );

/** A token for the ZIP of the photos that a person is in. */
export const createPersonDownload = (id: string) =>
  unwrapResponse(
    api.POST('/api/people/{id}/download', { params: { path: { id } } }),
    t`The photos could not be prepared for download. Please try again.`,
  );

/** Has the faces of an event put together, or not. */
export const switchPeople = (eventId: string, enabled: boolean) =>
  unwrapResponse(
    api.PUT('/api/events/{event}/people', { params: { path: { event: eventId } }, body: { enabled } }),
    t`The setting could not be saved. Please try again.`,
  );
