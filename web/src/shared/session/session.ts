import { useSyncExternalStore } from 'react';
import { type StoredUser, storedToken, storedUser, subscribeToStorage } from '../storage';

export interface Session {
  token: string | null;
  user: StoredUser | null;
  /** True with a token and a user who is flagged photographer. */
  isPhotographer: boolean;
}

/** The logged-in state as the browser's storage has it at this moment. */
export function readSession(): Session {
  const token = storedToken.read();
  const user = storedUser.read();
  return { token, user, isPhotographer: token !== null && user?.is_photographer === true };
}

/** Follows the logged-in state; it derives from the stored token and user alone. */
export function useSession(): Session {
  const token = useSyncExternalStore(subscribeToStorage, storedToken.read);
  const user = useSyncExternalStore(subscribeToStorage, storedUser.read);
  return { token, user, isPhotographer: token !== null && user?.is_photographer === true };
}
