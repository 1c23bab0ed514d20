import { plural, t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
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
    // Photos may have arrived meanwhile, a change whose answer was lost may be made, and an answer that is on its way may be
    // of the time before.
    onSettled: () => void client.invalidateQueries({ queryKey: eventsKey }),
  });
}
