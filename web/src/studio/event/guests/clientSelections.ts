import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { components } from '../../../platform/api/schema.gen';
import { type ClientSelection, clientSelectionsQuery } from '../../shared/notifications/clientSelections';

export type Wanted = components['schemas']['WantedClientSelection'];

type Change =
  | { what: 'create'; wanted: Wanted }
  | { what: 'change'; id: string; wanted: Wanted }
  | { what: 'reopen' | 'delete'; id: string };

async function send(event: string, change: Change): Promise<ClientSelection | null> {
  const failed = t`The selection could not be saved. Please try again.`;
  switch (change.what) {
    case 'create': {
      const call = api.POST('/api/events/{event}/selections', {
        params: { path: { event } },
        body: change.wanted,
      });
      return unwrapResponse(call, failed);
    }
    case 'change': {
      const path = { event, selection: change.id };
      const call = api.PUT('/api/events/{event}/selections/{selection}', {
        params: { path },
        body: change.wanted,
      });
      return unwrapResponse(call, failed);
    }
    case 'reopen': {
      const path = { event, selection: change.id };
      return unwrapResponse(
        api.POST('/api/events/{event}/selections/{selection}/reopen', { params: { path } }),
        failed,
      );
    }
    case 'delete': {
      const path = { event, selection: change.id };
      await unwrapResponse(
        api.DELETE('/api/events/{event}/selections/{selection}', { params: { path } }),
        failed,
      );
      return null;
    }
  }
}

/** Makes, changes, reopens or deletes a selection of an event. */
export function useChangeSelections(eventId: string) {
  const client = useQueryClient();
  const { queryKey } = clientSelectionsQuery(eventId);
  return useMutation({
    mutationFn: (change: Change) => send(eventId, change),
    onSuccess: (made, change) =>
      client.setQueryData<ClientSelection[]>(queryKey, (now) => {
        if (change.what === 'delete') return now?.filter(({ id }) => id !== change.id);
        if (made === null) return now;
        const known = now?.some(({ id }) => id === made.id) === true;
        return known ? now.map((each) => (each.id === made.id ? made : each)) : [...(now ?? []), made];
      }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
