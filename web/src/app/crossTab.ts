import { clearSession, storedToken } from '../shared/storage';

const pathsWithoutRedirect = ['/login', '/register', '/'];

export interface TokenChange {
  key: string | null;
  oldValue: string | null;
  newValue: string | null;
}

/**
 * Handles a token that another tab changed. A token that appears where there was none is adopted; any other change
 * clears the session of this tab.
 */
export function handleTokenChange(change: TokenChange, path: string, navigateToLogin: () => void): void {
  if (change.key !== storedToken.key || change.oldValue === change.newValue) return;
  if (change.oldValue === null && change.newValue !== null) return;
  clearSession();
  if (!pathsWithoutRedirect.includes(path)) navigateToLogin();
}
