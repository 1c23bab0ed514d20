import createClient, { type Middleware } from 'openapi-fetch';
import { clearSession, storedToken } from '../storage';
import { within } from './deadline';
import { ApiError, refusalIn, retryAfterIn } from './errors';
import type { paths } from './schema.gen';

/** Milliseconds after which a call is given up, unless its own signal ends it sooner. */
export const clientTimeout = 300_000;

// A wrong login is answered 401 too; there the form shows the text and nobody is logged out.
const loginPath = '/api/auth/login';

let goToLogin: () => void = () => window.location.assign('/login');

/** Tells the client how to reach the login screen without loading the page anew. */
export function setLoginNavigation(navigate: () => void): void {
  goToLogin = navigate;
}

/** What follows when the server no longer knows the token: the login is forgotten and asked for again. */
export function endSession(): void {
  clearSession();
  goToLogin();
}

const bearer: Middleware = {
  onRequest({ request }) {
    const token = storedToken.read();
    if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && schemaPath !== loginPath) endSession();
    return response;
  },
};

/** Calls the product's own host with the types of the contract. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request) => fetch(request, { signal: within(request.signal, clientTimeout) }),
});
api.use(bearer);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Gives the body of a call that succeeded.
 * Throws an `ApiError` otherwise, whose message is the server's text or `fallback`.
 */
export async function answerOf<T>(call: Promise<Answer<T>>, fallback: string): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (cause) {
    throw new ApiError(0, fallback, {}, cause);
  }
  if (!answer.response.ok) {
    const { status, headers } = answer.response;
    throw new ApiError(status, fallback, { ...refusalIn(answer.error), ...retryAfterIn(headers) });
  }
  return answer.data as T;
}
