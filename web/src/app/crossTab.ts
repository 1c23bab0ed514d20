import { clearSession, storedToken } from '../platform/storage/storage';

const pathsWithoutRedirect = ['/login', '/register', '/'];

export interface TokenChange {
  key: string | null;
  oldValue: string | null;
  newValue: string | null;
}

export interface TokenChangeContext {
  path: string;
  /** Whether this tab had a token before the change. */
  loggedIn: boolean;
  navigateToLogin: () => void;
}

/**
 * Handles a token that another tab changed, or removed together with everything else (a change without a key).
 * A token that appears where there was none is adopted; any other change clears the session of this tab.
 */
export function handleTokenChange(
  change: TokenChange,
  { path, loggedIn, navigateToLogin }: TokenChangeContext,
): void {
  if (change.key === null) {
    if (!loggedIn) return;
  } else {
    if (change.key !== storedToken.key || change.oldValue === change.newValue) return;
    if (change.oldValue === null && change.newValue !== null) return;
  }
  clearSession();
  if (!pathsWithoutRedirect.includes(path)) navigateToLogin();
}
