import { clearSession, storedToken } from '../shared/storage';

const staysPut = ['/login', '/register', '/'];

export interface TokenChange {
  key: string | null;
  oldValue: string | null;
  newValue: string | null;
}

/**
 * What another tab's change of the token means here. A token that appears where none was is taken over;
 * any other change ends this tab's login.
 */
export function followTokenChange(change: TokenChange, path: string, goToLogin: () => void): void {
  if (change.key !== storedToken.key || change.oldValue === change.newValue) return;
  if (change.oldValue === null && change.newValue !== null) return;
  clearSession();
  if (!staysPut.includes(path)) goToLogin();
}
