import { authorizedFetch } from '../platform/api/authorizedFetch';
import { ApiError, errorOfResponse } from '../platform/api/errors';
import { readAccess, refuseAccess, slugOfPage } from './pin/access';

/**
 * Calls the API: a POST with a body, which is a form or JSON, a GET without one. Returns the JSON of the answer.
 * Throws an `ApiError` otherwise, whose message is the server's or `fallback`.
 *
 * The admin screens have a client that is checked against the schema, path and body; here its bytes would be in the first
 * load for five calls.
 */
export async function request<Body>(
  path: string,
  { body, signal, keepalive = false }: { body?: FormData | object; signal: AbortSignal; keepalive?: boolean },
  fallback: string,
): Promise<Body> {
  const json = body !== undefined && !(body instanceof FormData);
  const slug = slugOfPage();
  const proof = readAccess(slug);
  let response: Response;
  let answer: unknown;
  try {
    response = await authorizedFetch(
      new Request(new URL(path, window.location.origin), {
        method: body === undefined ? 'GET' : 'POST',
        signal,
        keepalive,
        ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
        headers: {
          ...(json && { 'Content-Type': 'application/json' }),
          ...(proof !== null && { 'Event-Access': proof }),
        },
      }),
    );
    const text = await response.text();
    // A proxy's error is no JSON.
    answer = response.ok && text !== '' ? JSON.parse(text) : parsed(text);
  } catch (cause) {
    throw new ApiError(0, fallback, {}, cause);
  }
  if (response.ok) return answer as Body;
  const error = errorOfResponse(response, answer, fallback);
  if (error.code === 'event_pin_required') refuseAccess(slug, proof);
  throw error;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
