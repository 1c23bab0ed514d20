import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../api/client';
import type { components } from '../../api/schema.gen';
import type { Event } from '../../api/types';
import { reconcileSelection } from '../../session/selection';
import { changeEvents } from '../eventPages';
import { eventPinKey } from '../eventPin';

export type EventChanges = components['schemas']['EventChangesBody'];

/** Changes what is given of an event, by its id, although the path parameter is named slug. */
const changeEvent = (id: string, body: EventChanges): Promise<Event> =>
  unwrapResponse(
    api.PATCH('/api/events/{slug}', { params: { path: { slug: id } }, body }),
    t`The setting could not be saved. Please try again.`,
  );

/**
 * Changes an event, and what is loaded of it. `saved` is what of the answer the lists take over where another change may be
 * on its way.
 */
export function useChangeEvent(
  id: string,
  callbacks: { onSuccess?: (event: Event) => void; onError?: (error: Error) => void } = {},
  saved: (event: Event) => Partial<Event> = (event) => event,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: EventChanges) => changeEvent(id, changes),
    onSuccess: (changed, { pin }) => {
      if (pin !== undefined) client.removeQueries({ queryKey: eventPinKey(id) });
      changeEvents(client, (events) =>
        events.map((each) => (each.id === id ? { ...each, ...saved(changed) } : each)),
      );
      reconcileSelection(id, changed);
      callbacks.onSuccess?.(changed);
    },
    onError: (error) => callbacks.onError?.(error),
  });
}
