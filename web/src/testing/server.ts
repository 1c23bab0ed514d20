import { vi } from 'vitest';

interface Call {
  method: string;
  origin: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

type Handler = (call: Call) => Response | Promise<Response>;

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

export const errorResponse = (status: number, error?: string, code = 'a_code'): Response =>
  error === undefined ? new Response('<html>', { status }) : json({ error, code }, status);

/**
 * Mocks `fetch`: responds from a table of 'METHOD /path' handlers and records every call.
 * A call without a handler fails the test.
 */
export function mockServer(handlers: Record<string, Handler>) {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const url = new URL(request.url);
    const text = request.method === 'GET' || request.method === 'HEAD' ? '' : await request.clone().text();
    // Forms are as Node writes those of jsdom.
    const isForm = text !== '' && request.headers.get('Content-Type')?.includes('json') !== true;
    const call: Call = {
      method: request.method,
      origin: url.origin,
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? undefined : isForm ? text : (JSON.parse(text) as unknown),
      headers: request.headers,
    };
    const handler = handlers[`${call.method} ${call.path}`];
    // Every form that asks for a password asks whether there are any.
    if (handler === undefined && call.path === '/api/site')
      return json({ passwords: true, single_sign_on: null });
    calls.push(call);
    if (handler === undefined) throw new Error(`no handler for ${call.method} ${call.path}`);
    return handler(call);
  });
  return {
    calls,
    callsTo: (route: string) => calls.filter((call) => `${call.method} ${call.path}` === route),
  };
}
