/** The notifications of the bell, newest first. They are kept for the session of this tab, so that a reload keeps them. */

interface NotificationBase {
  id: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  read: boolean;
  title: string;
  message: string;
}

interface BasicNotification extends NotificationBase {
  type: 'success' | 'error' | 'upload';
}

export interface DeletionNotification extends NotificationBase {
  type: 'deletion';
  eventId: string;
  eventName: string;
  status: 'in_progress' | 'completed' | 'failed';
  /** When the deletion completed or failed; null while it runs. */
  endedAt: number | null;
}

/** What guests of an event have asked for and the photographer has not seen. */
export interface RequestsNotification extends NotificationBase {
  type: 'requests';
  eventId: string;
  /** The id of the newest request. */
  newest: string;
}

export type Notification = BasicNotification | DeletionNotification | RequestsNotification;

/** The new requests of an event, as they are told. */
export type NewRequests = Pick<RequestsNotification, 'title' | 'message' | 'eventId' | 'newest'>;

/** A notification without the fields that the reducer adds. */
export type NewNotification =
  | Pick<BasicNotification, 'type' | 'title' | 'message'>
  | Pick<DeletionNotification, 'type' | 'title' | 'message' | 'eventId' | 'eventName'>;

export type NotificationAction =
  | { kind: 'add'; id: string; now: number; notification: NewNotification }
  | {
      kind: 'endDeletion';
      eventId: string;
      now: number;
      status: 'completed' | 'failed';
      title: string;
      message: string;
    }
  | { kind: 'tellRequests'; now: number; requests: readonly NewRequests[] }
  | { kind: 'markRead'; id: string }
  | { kind: 'markAllRead' }
  | { kind: 'remove'; id: string }
  | { kind: 'clear' }
  | { kind: 'dismiss'; now: number }
  | { kind: 'purge'; now: number };

export const maxAge = 3_600_000;
export const purgeInterval = 1_800_000;
const lifetimes = { success: 8000, error: 12_000, upload: 6000, endedDeletion: 5000 } as const;

/** When a notification is dismissed automatically, in milliseconds since the epoch; null if it is not. */
function dismissalTime(notification: Notification): number | null {
  if (notification.type === 'requests') return null;
  if (notification.type !== 'deletion') return notification.timestamp + lifetimes[notification.type];
  return notification.endedAt === null ? null : notification.endedAt + lifetimes.endedDeletion;
}

/** The time of the next automatic dismissal; null if there is none. */
export function nextDismissal(notifications: readonly Notification[]): number | null {
  const times = notifications.map(dismissalTime).filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

const isRunningDeletionOf = (notifications: readonly Notification[], added: NewNotification): boolean =>
  added.type === 'deletion' &&
  notifications.some(
    (notification) =>
      notification.type === 'deletion' &&
      notification.eventId === added.eventId &&
      notification.status === 'in_progress',
  );

/** One for each event. What was seen elsewhere goes; what was read here stays until a newer request comes. */
function tellRequests(
  notifications: readonly Notification[],
  now: number,
  requests: readonly NewRequests[],
): readonly Notification[] {
  const told = new Map(requests.map((each) => [each.eventId, each]));
  const kept = notifications.flatMap((notification): Notification[] => {
    if (notification.type !== 'requests') return [notification];
    const request = told.get(notification.eventId);
    if (request === undefined) return notification.read ? [notification] : [];
    if (request.newest !== notification.newest) return [];
    told.delete(request.eventId);
    // Some of them may have been seen.
    return [{ ...notification, ...request }];
  });
  const added = [...told.values()].map((request) => ({
    ...request,
    type: 'requests' as const,
    id: `requests-${request.newest}`,
    timestamp: now,
    read: false,
  }));
  return [...added, ...kept];
}

export function notificationsReducer(
  notifications: readonly Notification[],
  action: NotificationAction,
): readonly Notification[] {
  switch (action.kind) {
    case 'add': {
      const common = { id: action.id, timestamp: action.now, read: false };
      const { notification } = action;
      const added: Notification =
        notification.type === 'deletion'
          ? { ...common, ...notification, status: 'in_progress', endedAt: null }
          : { ...common, ...notification };
      // A deletion is resumed after a reload: its notification is there already.
      return isRunningDeletionOf(notifications, notification) ? notifications : [added, ...notifications];
    }
    case 'endDeletion':
      return notifications.map((notification) =>
        notification.type === 'deletion' &&
        notification.eventId === action.eventId &&
        notification.endedAt === null
          ? {
              ...notification,
              status: action.status,
              endedAt: action.now,
              title: action.title,
              message: action.message,
            }
          : notification,
      );
    case 'tellRequests':
      return tellRequests(notifications, action.now, action.requests);
    case 'markRead':
      return notifications.map((notification) =>
        notification.id === action.id ? { ...notification, read: true } : notification,
      );
    case 'markAllRead':
      return notifications.map((notification) => ({ ...notification, read: true }));
    case 'remove':
      return notifications.filter((notification) => notification.id !== action.id);
    case 'clear':
      return [];
    case 'dismiss':
      return notifications.filter((notification) => {
        const time = dismissalTime(notification);
        return time === null || time > action.now;
      });
    case 'purge':
      return notifications.filter((notification) => action.now - notification.timestamp <= maxAge);
  }
}

export const countUnread = (notifications: readonly Notification[]): number =>
  notifications.filter((notification) => !notification.read).length;

const statuses: readonly unknown[] = ['in_progress', 'completed', 'failed'];

/** Whether a parsed value is a notification as this version writes them. */
function isNotification(value: unknown): value is Notification {
  if (typeof value !== 'object' || value === null) return false;
  const { id, timestamp, read, title, message, type, ...rest } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof timestamp !== 'number' || typeof read !== 'boolean') return false;
  if (typeof title !== 'string' || typeof message !== 'string') return false;
  if (type === 'success' || type === 'error' || type === 'upload') return true;
  const { eventId, eventName, status, endedAt, newest } = rest;
  if (type === 'requests') return typeof eventId === 'string' && typeof newest === 'string';
  return (
    type === 'deletion' &&
    typeof eventId === 'string' &&
    typeof eventName === 'string' &&
    statuses.includes(status) &&
    (endedAt === null || typeof endedAt === 'number')
  );
}

/** The notifications of an earlier load of the page, without those whose time is over. */
export function restoreNotifications(stored: readonly unknown[], now: number): readonly Notification[] {
  const valid = stored.filter(isNotification);
  return notificationsReducer(notificationsReducer(valid, { kind: 'dismiss', now }), { kind: 'purge', now });
}
