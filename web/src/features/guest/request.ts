import { authorizedFetch } from '../../shared/api/authorizedFetch';
import { ApiError, errorOfResponse } from '../../shared/api/errors';
import { readAccess, refuseAccess, slugOfPage } from './access/access';

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
  return (await send<Body>(path, { body, signal, keepalive }, fallback)).answer;
}

/** The version of an answer that the page has; null before the first. */
export interface Tag {
  current: string | null;
}

/** Asks for what may have changed since the answer of this tag, which is replaced; null where nothing has (RFC 9110, 13.1.2). */
export async function requestChanged<Body>(
  path: string,
  tag: Tag,
  signal: AbortSignal,
  fallback: string,
): Promise<Body | null> {
  const headers = tag.current === null ? {} : { 'If-None-Match': tag.current };
  const { response, answer } = await send<Body | null>(path, { signal, headers }, fallback);
  tag.current = response.headers.get('ETag');
  return response.status === 304 ? null : answer;
}

async function send<Body>(
  path: string,
  {
    body,
    signal,
    keepalive = false,
    headers,
  }: {
    body?: FormData | object | undefined;
    signal: AbortSignal;
    keepalive?: boolean;
    headers?: Record<string, string>;
  },
  fallback: string,
): Promise<{ response: Response; answer: Body }> {
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
          ...headers,
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
  if (response.ok || response.status === 304) return { response, answer: answer as Body };
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
