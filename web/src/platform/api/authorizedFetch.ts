import { clearSession, isAdminScreen, storedReturn, storedToken } from '../storage/storage';
import { parseErrorBody } from './errors';
import { refusalText } from './refusals';
import type { paths } from './schema.gen';
import { withTimeout } from './withTimeout';

/** Request timeout in milliseconds; a caller's own signal may abort earlier. */
const clientTimeout = 300_000;

// A failed login responds 401 too; there the form shows the message and no session is cleared.
const loginPath = '/api/auth/login';

/** How requests reach the server; rejects when they do not. */
export type Transport = (request: Request, init?: RequestInit) => Promise<Response>;

let transport: Transport = (request, init) => fetch(request, init);

/** Sends all requests of this document elsewhere. */
export function setTransport(next: Transport): void {
  transport = next;
}

let navigateToLogin: () => void = () => window.location.assign('/login');

/** Sets how to navigate to the login screen without a page reload. */
export function setLoginNavigation(navigate: () => void): void {
  navigateToLogin = navigate;
}

/** Whether the address is of a page for guests and clients, which asks nobody to log in. */
const isGuestPage = (path: string): boolean => /^\/(event|selection)\//.test(path);

/**
 * Clears the session and navigates to the login, which says `reason` and leads back: for tokens that the server rejects.
 * A guest's page goes on without a session.
 */
export function endSession(reason: string | null = null): void {
  const { pathname, search } = window.location;
  const isGuests = isGuestPage(pathname);
  if (!isGuests) storedReturn.write({ path: isAdminScreen(pathname) ? pathname + search : null, reason });
  clearSession();
  if (!isGuests) navigateToLogin();
}

/**
 * Tells the server to end the session of a token, without waiting for the answer: the browser forgets the token anyway.
 * The request outlives the page, and a late 401 must not end the next session, which the client's rule would do.
 */
export function revokeToken(token: string): void {
  const path: keyof paths = '/api/auth/logout';
  const headers = { Authorization: `Bearer ${token}` };
  const url = new URL(path, window.location.origin);
  transport(new Request(url, { method: 'POST', headers, keepalive: true })).catch(() => {
    // Without a connection the token stays valid until it expires; nobody has it any more.
  });
}

function authorization(): string | null {
  const token = storedToken.read();
  return token === null ? null : `Bearer ${token}`;
}

async function parseJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // The text of a proxy: the answer has no reason for the user.
    return null;
  }
}

/**
 * Sends a request with the stored token. An answer that rejects the token ends the session, unless another answer has
 * ended it already and the next one has begun.
 */
export async function authorizedFetch(request: Request): Promise<Response> {
  const header = authorization();
  if (header !== null) request.headers.set('Authorization', header);
  const response = await transport(request, { signal: withTimeout(request.signal, clientTimeout) });
  if (response.status !== 401 || new URL(request.url).pathname === loginPath) return response;
  const reason = refusalText(parseErrorBody(await parseJson(response.clone())));
  if (header === authorization()) endSession(reason);
  return response;
}
