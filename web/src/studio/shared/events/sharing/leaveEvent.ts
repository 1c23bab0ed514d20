import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
import type { Event } from '../../../../platform/api/types';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { deselectEvent } from '../../../../platform/session/selection';
import { changeLoadedEvent, eventsKey } from '../events';

/** Leaves the team of an event, by its id, although the path parameter is named slug. */
const leaveEvent = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/events/{event}/membership', { params: { path: { event: id } } }),
    t`You could not leave the event. Please try again.`,
  );

/** Ends the photographer's own membership; the event leaves their lists. */
export function useLeaveEvent(onLeft: () => void) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: ({ id }: Pick<Event, 'id' | 'name'>) => leaveEvent(id),
    onSuccess: (_, { id, name }) => {
      deselectEvent(id);
      changeLoadedEvent(client, id, () => null);
      void client.invalidateQueries({ queryKey: eventsKey });
      show({ tone: 'success', text: t`You have left ${name}.` });
      onLeft();
    },
  });
}
