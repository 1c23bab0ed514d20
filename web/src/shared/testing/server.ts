import { vi } from 'vitest';

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

type Answer = (call: Call) => Response | Promise<Response>;

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

export const refusal = (status: number, error?: string, code = 'a_code'): Response =>
  error === undefined ? new Response('<html>', { status }) : json({ error, code }, status);

/**
 * Stands in for the server: answers `fetch` from a table of 'METHOD /path' and keeps every call.
 * A call that the table does not name fails the test.
 */
export function standInServer(answers: Record<string, Answer>) {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const url = new URL(request.url);
    const text = request.method === 'GET' || request.method === 'HEAD' ? '' : await request.clone().text();
    const call: Call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      headers: request.headers,
    };
    calls.push(call);
    const answer = answers[`${call.method} ${call.path}`];
    if (answer === undefined) throw new Error(`no answer for ${call.method} ${call.path}`);
    return answer(call);
  });
  return {
    calls,
    callsTo: (line: string) => calls.filter((call) => `${call.method} ${call.path}` === line),
  };
}
