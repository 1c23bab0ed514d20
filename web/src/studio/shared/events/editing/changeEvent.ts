import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
import type { components } from '../../../../platform/api/schema.gen';
import type { Event } from '../../../../platform/api/types';
import { eventPinKey } from '../eventPin';
import { changeLoadedEvent, eventsKey } from '../events';

export type EventChanges = components['schemas']['EventChangesBody'];

/** Changes what is given of an event, by its id, although the path parameter is named slug. */
const changeEvent = (id: string, body: EventChanges): Promise<Event> =>
  unwrapResponse(
    api.PATCH('/api/events/{event}', { params: { path: { event: id } }, body }),
    t`The setting could not be saved. Please try again.`,
  );

/** Changes an event, and what is loaded of it. */
export function useChangeEvent(
  id: string,
  callbacks: { onSuccess?: (event: Event) => void; onError?: (error: Error) => void } = {},
) {
  const client = useQueryClient();
  const forgetPin = ({ pin }: EventChanges) => {
    if (pin !== undefined) void client.resetQueries({ queryKey: eventPinKey(id) });
  };
  return useMutation({
    // One after the other, so that each answer has all changes before it.
    scope: { id: `event ${id}` },
    mutationFn: (changes: EventChanges) => changeEvent(id, changes),
    onSuccess: (changed, changes) => {
      forgetPin(changes);
      changeLoadedEvent(client, id, () => changed);
      callbacks.onSuccess?.(changed);
    },
    onError: (error, changes) => {
      forgetPin(changes);
      callbacks.onError?.(error);
    },
    // A change whose answer was lost may be made, and an answer that is on its way may be of the time before.
    onSettled: () => void client.invalidateQueries({ queryKey: eventsKey }),
  });
}
