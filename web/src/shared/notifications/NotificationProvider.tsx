import { type ReactNode, useEffect, useMemo, useReducer } from 'react';
import { type NotificationCentre, NotificationContext } from './context';
import { nextDismissal, notificationsReducer, purgeInterval } from './notifications';

let lastNumber = 0;
const nextId = () => `notification-${(lastNumber += 1)}`;

export function NotificationProvider({ children }: { children: ReactNode }) {
  const [notifications, dispatch] = useReducer(notificationsReducer, []);

  const dueAt = nextDismissal(notifications);
  useEffect(() => {
    if (dueAt === null) return undefined;
    const timer = setTimeout(() => dispatch({ kind: 'dismiss', now: Date.now() }), dueAt - Date.now());
    return () => clearTimeout(timer);
  }, [dueAt]);

  useEffect(() => {
    const timer = setInterval(() => dispatch({ kind: 'purge', now: Date.now() }), purgeInterval);
    return () => clearInterval(timer);
  }, []);

  const actions = useMemo<Omit<NotificationCentre, 'notifications'>>(
    () => ({
      notify: (notification) => dispatch({ kind: 'add', id: nextId(), now: Date.now(), notification }),
      endDeletion: (eventId, status, title, message) =>
        dispatch({ kind: 'endDeletion', eventId, now: Date.now(), status, title, message }),
      markRead: (id) => dispatch({ kind: 'markRead', id }),
      markAllRead: () => dispatch({ kind: 'markAllRead' }),
      remove: (id) => dispatch({ kind: 'remove', id }),
      clear: () => dispatch({ kind: 'clear' }),
    }),
    [],
  );
  const centre = useMemo(() => ({ ...actions, notifications }), [actions, notifications]);

  return <NotificationContext value={centre}>{children}</NotificationContext>;
}
