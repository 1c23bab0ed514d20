import { createContext, useContext } from 'react';
import type { Announcement, Notification } from './notifications';

export interface NotificationCentre {
  notifications: readonly Notification[];
  announce: (announcement: Announcement) => void;
  /** Ends the running deletion notification of an event, if there is one. */
  endDeletion: (eventId: string, status: 'completed' | 'failed', title: string, message: string) => void;
  read: (id: string) => void;
  readAll: () => void;
  remove: (id: string) => void;
  clear: () => void;
}

export const NotificationContext = createContext<NotificationCentre | null>(null);

export function useNotifications(): NotificationCentre {
  const centre = useContext(NotificationContext);
  if (centre === null) throw new Error('useNotifications needs a NotificationProvider above it');
  return centre;
}
