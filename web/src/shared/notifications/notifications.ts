/** What the bell holds: a list that lives in the page's memory, newest first. */

interface Common {
  id: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  read: boolean;
  title: string;
  message: string;
}

interface Plain extends Common {
  type: 'success' | 'error' | 'upload';
}

export interface DeletionNotification extends Common {
  type: 'deletion';
  eventId: string;
  eventName: string;
  status: 'in_progress' | 'completed' | 'failed';
  /** When the deletion completed or failed; null while it runs. */
  endedAt: number | null;
}

export type Notification = Plain | DeletionNotification;

/** A notification before it has an id and a time. */
export type Announcement =
  | Pick<Plain, 'type' | 'title' | 'message'>
  | Pick<DeletionNotification, 'type' | 'title' | 'message' | 'eventId' | 'eventName'>;

export type NotificationAction =
  | { kind: 'announce'; id: string; now: number; announcement: Announcement }
  | {
      kind: 'endDeletion';
      eventId: string;
      now: number;
      status: 'completed' | 'failed';
      title: string;
      message: string;
    }
  | { kind: 'read'; id: string }
  | { kind: 'readAll' }
  | { kind: 'remove'; id: string }
  | { kind: 'clear' }
  | { kind: 'dismiss'; now: number }
  | { kind: 'purge'; now: number };

export const maximumAge = 3_600_000;
export const purgeInterval = 1_800_000;
const lifetimes = { success: 8000, error: 12_000, upload: 6000, endedDeletion: 5000 } as const;

/** When a notification goes by itself, in milliseconds since the epoch; null when it does not. */
function dismissalTime(notification: Notification): number | null {
  if (notification.type !== 'deletion') return notification.timestamp + lifetimes[notification.type];
  return notification.endedAt === null ? null : notification.endedAt + lifetimes.endedDeletion;
}

/** The earliest dismissal to come; null when nothing is due. */
export function nextDismissal(notifications: readonly Notification[]): number | null {
  const times = notifications.map(dismissalTime).filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

export function notificationsReducer(
  notifications: readonly Notification[],
  action: NotificationAction,
): readonly Notification[] {
  switch (action.kind) {
    case 'announce': {
      const common = { id: action.id, timestamp: action.now, read: false };
      const { announcement } = action;
      const added: Notification =
        announcement.type === 'deletion'
          ? { ...common, ...announcement, status: 'in_progress', endedAt: null }
          : { ...common, ...announcement };
      return [added, ...notifications];
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
    case 'read':
      return notifications.map((notification) =>
        notification.id === action.id ? { ...notification, read: true } : notification,
      );
    case 'readAll':
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
      return notifications.filter((notification) => action.now - notification.timestamp <= maximumAge);
  }
}

export const countUnread = (notifications: readonly Notification[]): number =>
  notifications.filter((notification) => !notification.read).length;
