import { type StoredUser, storedToken, storedUser } from '../storage/storage';
import { useStored } from '../storage/useStored';

export interface Session {
  token: string | null;
  user: StoredUser | null;
  /** True with a token and a user who is flagged photographer. */
  isPhotographer: boolean;
}

/** The current session, read from storage. */
export function readSession(): Session {
  const token = storedToken.read();
  const user = storedUser.read();
  return { token, user, isPhotographer: token !== null && user?.is_photographer === true };
}

/** The current session; derived from the stored token and user alone. */
export function useSession(): Session {
  const token = useStored(storedToken);
  const user = useStored(storedUser);
  return { token, user, isPhotographer: token !== null && user?.is_photographer === true };
}
