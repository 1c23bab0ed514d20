import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Event } from '../../platform/api/types';
import { errorMessage } from '../../platform/api/errors';
import {
  addDeletingEvent,
  changeLoadedEvent,
  deletingEventsQuery,
  eventQuery,
  eventsKey,
  useEventList,
} from '../shared/events/events';
import { type NotificationCentre, useNotifications } from '../shared/notifications/context';
import { deselectEvent } from '../../platform/session/selection';
import { useSession } from '../../platform/session/session';
import { checkTask, deleteEvent } from './events';
import { type DeletionOutcome, pollDeletion } from './pollDeletion';

/** Deletes an event and updates the list. */
export function useDeleteEvent() {
  const client = useQueryClient();
  const session = useSession();
  const { notify } = useNotifications();
  return useMutation({
    mutationFn: (event: Event) => deleteEvent(event.id),
    onSuccess: async (answer, event) => {
      const task_id = answer.task_id ?? null;
      deselectEvent(event.id);
      changeLoadedEvent(client, event.id, (now) =>
        task_id === null ? null : { ...now, deleting: true, task_id },
      );
      if (task_id !== null) await addDeletingEvent(client, session, event.id);
    },
    onError: (error) =>
      notify({
        type: 'error',
        title: t`Deletion Failed`,
        message: errorMessage(error, t`Failed to delete event. Please try again.`),
      }),
  });
}

/** Ends the running notification and adds that of the outcome, under a title of its own: two of one name look like a mistake. */
function notifyOutcome(
  event: Pick<Event, 'id' | 'name'>,
  outcome: DeletionOutcome,
  { notify, endDeletion }: NotificationCentre,
): void {
  switch (outcome.kind) {
    case 'completed': {
      const message = outcome.message ?? t`${{ name: event.name }} and all its photos are gone.`;
      endDeletion(event.id, 'completed', t`Deletion Finished`, event.name);
      notify({ type: 'success', title: t`Event Deleted`, message });
      return;
    }
    case 'failed': {
      const message = outcome.message ?? t`Event deletion failed. Please try again.`;
      endDeletion(event.id, 'failed', t`Deletion Stopped`, event.name);
      notify({ type: 'error', title: t`Deletion Failed`, message });
      return;
    }
    case 'timedOut': {
      const message = t`Deletion is taking longer than expected. Please refresh the page to see updates.`;
      endDeletion(event.id, 'failed', t`Deletion Stopped`, event.name);
      notify({ type: 'error', title: t`Deletion Timeout`, message });
      return;
    }
    case 'unknown': {
      const message = t`Unable to check deletion status. Please refresh the page to see updates.`;
      endDeletion(event.id, 'failed', t`Deletion Stopped`, event.name);
      notify({ type: 'error', title: t`Status Check Failed`, message });
    }
  }
}

/**
 * Polls every deletion that is under way once, including those that were started before a reload.
 * To be mounted once, above the admin screens.
 */
export function useDeletionPolling(): void {
  const client = useQueryClient();
  const session = useSession();
  const centre = useNotifications();
  const events = useEventList(deletingEventsQuery(session));
  const polledTasks = useRef(new Set<string>());
  const polledEvents = useRef(new Set<string>());
  const latest = useRef(centre);
  const unmountController = useRef<AbortController>(null);

  useEffect(() => {
    latest.current = centre;
  }, [centre]);
  useEffect(() => {
    const tasks = polledTasks.current;
    const controller = new AbortController();
    unmountController.current = controller;
    return () => {
      controller.abort();
      tasks.clear();
    };
  }, []);

  useEffect(() => {
    const signal = unmountController.current?.signal;
    if (signal === undefined) return;
    for (const event of events ?? []) {
      const task = event.task_id ?? null;
      if (!event.deleting || task === null || polledTasks.current.has(task)) continue;
      polledTasks.current.add(task);
      polledEvents.current.add(event.id);
      latest.current.notify({
        type: 'deletion',
        title: t`Deleting Event`,
        message: t`${{ name: event.name }} is being deleted. This may take up to 60 seconds.`,
        eventId: event.id,
        eventName: event.name,
      });
      void pollDeletion(() => checkTask(task), signal).then((outcome) => {
        if (outcome === null) return;
        // The card goes before the notification says so: the reload of the list takes its time.
        if (outcome.kind === 'completed') {
          changeLoadedEvent(client, event.id, () => null);
        }
        notifyOutcome(event, outcome, latest.current);
        void client.invalidateQueries({ queryKey: eventsKey });
      });
    }
    // A deletion that an earlier load of the page has shown as running, and that ended meanwhile.
    for (const notification of events === undefined ? [] : latest.current.notifications) {
      if (notification.type !== 'deletion' || notification.status !== 'in_progress') continue;
      const { eventId: id, eventName: name } = notification;
      const known = polledEvents.current;
      if (known.has(id)) continue;
      known.add(id);
      void client
        .query({ ...eventQuery(session, id), staleTime: 0 })
        .then((event) => {
          if (signal.aborted) return;
          const kind = event === null ? 'completed' : 'failed';
          notifyOutcome({ id, name }, { kind, message: null }, latest.current);
        })
        // The next list of deletions leads here again.
        .catch(() => known.delete(id));
    }
  }, [client, events, session]);
}
