import { plural, t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
import { ApiError } from '../../../../platform/api/errors';
import type { components } from '../../../../platform/api/schema.gen';
import type { Event } from '../../../../platform/api/types';
import { formatCount } from '../../../../platform/formats';
import { changeLoadedEvent, eventsKey } from '../events';

export type Publication = components['schemas']['Publication'];

/** What becomes of photos that arrive; nothing is said of the usual. */
export const publicationOf = ({ publication }: Pick<Event, 'publication'>): Publication =>
  publication ?? 'as_they_arrive';

/** Publishes the held photos that the event was shown with, and no other. */
export const publishShown = ({ held_through: through }: Pick<Event, 'held_through'>) =>
  through == null ? {} : { publish_through: through };

/** What publishes so many photos. */
export function publishText(held: number): string {
  const count = formatCount(held);
  return plural(held, { one: `Publish ${count} photo`, other: `Publish ${count} photos` });
}

/** Publishes held photos of an event, or changes what becomes of photos that arrive. */
export function useChangePublication(id: string) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `event ${id}` },
    mutationFn: (body: components['schemas']['PublicationChangeBody']) =>
      unwrapResponse(
        api.PUT('/api/events/{event}/publication', { params: { path: { event: id } }, body }),
        t`The setting could not be saved. Please try again.`,
      ),
    onSuccess: (changed) => changeLoadedEvent(client, id, () => changed),
    onError: (error) => {
      // Photos arrived meanwhile: their number is asked for once more.
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: eventsKey });
    },
  });
}
