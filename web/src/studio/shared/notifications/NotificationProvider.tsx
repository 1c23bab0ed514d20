import { type ReactNode, useEffect, useMemo, useReducer, useRef } from 'react';
import { useSession } from '../../../platform/session/session';
import { storedNotifications } from '../../../platform/storage/notificationStorage';
import { type NotificationCentre, NotificationContext } from './context';
import { nextDismissal, notificationsReducer, purgeInterval, restoreNotifications } from './notifications';

let lastNumber = 0;
// With the time, because the notifications of an earlier load of the page have ids too.
const nextId = () => `${Date.now()}-${(lastNumber += 1)}`;

const restore = () => restoreNotifications(storedNotifications.read() ?? [], Date.now());

export function NotificationProvider({ children }: { children: ReactNode }) {
  const [notifications, dispatch] = useReducer(notificationsReducer, null, restore);
  useEffect(() => {
    if (notifications.length === 0) storedNotifications.remove();
    else storedNotifications.write(notifications);
  }, [notifications]);

  // They belong to a login.
  const { token } = useSession();
  const tokenOfNotifications = useRef(token);
  useEffect(() => {
    if (tokenOfNotifications.current === token) return;
    tokenOfNotifications.current = token;
    dispatch({ kind: 'clear' });
  }, [token]);

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
      tellRequests: (requests) => dispatch({ kind: 'tellRequests', now: Date.now(), requests }),
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
