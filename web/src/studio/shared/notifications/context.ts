import { createContext, useContext } from 'react';
import type { NewNotification, NewRequests, Notification } from './notifications';

export interface NotificationCentre {
  notifications: readonly Notification[];
  notify: (notification: NewNotification) => void;
  /** Completes the notification of an event's running deletion, if there is one. */
  endDeletion: (eventId: string, status: 'completed' | 'failed', title: string, message: string) => void;
  /** Tells of all requests of guests that are new, and only of these. */
  tellRequests: (requests: readonly NewRequests[]) => void;
  markRead: (id: string) => void;
  markAllRead: () => void;
  remove: (id: string) => void;
  clear: () => void;
}

export const NotificationContext = createContext<NotificationCentre | null>(null);

export function useNotifications(): NotificationCentre {
  const centre = useContext(NotificationContext);
  if (centre === null) throw new Error('useNotifications must be used within a NotificationProvider');
  return centre;
}
