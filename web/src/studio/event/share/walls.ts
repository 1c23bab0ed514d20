import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { components } from '../../../platform/api/schema.gen';

export type Wall = components['schemas']['Wall'];

const path = (id: string) => ({ params: { path: { event: id } } });

/** The live wall of an event, by its id; null while it has none. */
export const wallQuery = (id: string) =>
  queryOptions({
    queryKey: ['wall', id] as const,
    queryFn: async ({ signal }): Promise<Wall | null> => {
      const call = api.GET('/api/events/{event}/wall', { ...path(id), signal });
      return (await unwrapResponse(call, t`The live wall could not be loaded.`)).wall ?? null;
    },
  });

/** Gives an event a wall, or lets the one that it has show the photos of an album; null for all of the event. */
export async function putWall(id: string, album_id: string | null): Promise<Wall | null> {
  const call = api.PUT('/api/events/{event}/wall', { ...path(id), body: { album_id } });
  return (await unwrapResponse(call, failedText())).wall ?? null;
}

export const endWall = (id: string) =>
  unwrapResponse(api.DELETE('/api/events/{event}/wall', path(id)), failedText());

export const failedText = () => t`The live wall could not be changed. Please try again.`;
