import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Event } from '../../platform/api/types';
import { eventsOfQuery, useEventList } from '../../studio/shared/events/events';
import { useNotifications } from '../../studio/shared/notifications/context';
import { newRequestsQuery } from '../../studio/shared/notifications/guestRequests';
import type { NewRequests } from '../../studio/shared/notifications/notifications';
import type { Session } from '../../platform/session/session';

const messageOf = (count: number, event: string): string =>
  plural(count, {
    one: `# new request in ${event}: a guest asked to be removed from photos.`,
    other: `# new requests in ${event}: guests asked to be removed from photos.`,
  });

const nobody: readonly Event[] = [];

/** Tells in the bell what guests have asked for: one notification for each event, however many requests it has. */
export function useRequestNotifications(session: Session): void {
  const { tellRequests } = useNotifications();
  const { data, dataUpdatedAt } = useQuery(newRequestsQuery(session));
  const ids = [...new Set(data?.map(({ event_id }) => event_id))];
  const named = useEventList(eventsOfQuery(session, ids));
  const events = ids.length === 0 ? nobody : named;
  useEffect(() => {
    if (data === undefined || events === undefined) return;
    const told = events.flatMap(({ id, name }): NewRequests[] => {
      const requests = data.filter(({ event_id }) => event_id === id);
      const [newest] = requests;
      if (newest === undefined) return [];
      const message = messageOf(requests.length, name);
      return [{ title: t`Requests of guests`, message, eventId: id, newest: newest.id }];
    });
    tellRequests(told);
  }, [data, dataUpdatedAt, events, tellRequests]);
}
