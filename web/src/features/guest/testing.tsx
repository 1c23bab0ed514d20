import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { SnackbarHost } from '../../shared/components/SnackbarHost';
import { json } from '../../shared/testing/server';
import { AfterglowTheme } from '../../shared/theme/AfterglowTheme';
import EventPage from './EventPage';
import type { Answer, Match } from './matches';
import type { Query } from './search';

export const match = (number: number, change: Partial<Match> = {}): Match => ({
  face_id: `face-${number}`,
  photo_id: `photo-${number}`,
  s3_key: `events/${number}`,
  url: `https://photos.example/api/files/${number}?size=preview`,
  thumbnail_url: `https://photos.example/api/files/${number}?size=thumbnail`,
  filename: `DSC_${number}.JPG`,
  width: 600,
  height: 400,
  ...change,
});

export const matchList = (count: number): Match[] => Array.from({ length: count }, (_, at) => match(at + 1));

export const oneFace = { x: 0.3, y: 0.2, width: 0.3, height: 0.3 };

export const answer = (change: Partial<Answer> = {}): Answer => ({
  matches: matchList(3),
  faces: [oneFace],
  indexing: { indexed: 412, total: 900 },
  downloadToken: null,
  receivedAt: Date.now(),
  ...change,
});

const pixel = 'data:image/png;base64,iVBORw0KGgo=';

export const query = (change: Partial<Query> = {}): Query => ({
  selfies: [{ image: new Blob(['x'], { type: 'image/png' }), preview: pixel }],
  face: null,
  strictness: 'normal',
  ...change,
});

export const selfieFile = (name = 'selfie.png') => new File(['a selfie'], name, { type: 'image/png' });

export const eventBody = (change: object = {}) => ({
  id: 'event-1',
  name: 'Aanya & Rohan',
  date: '2026-11-14',
  slug: 'aanya-rohan',
  description: 'Sangeet night at the lake.',
  indexing: { indexed: 412, total: 900 },
  ...change,
});

/** The body of a search's answer as the server writes it. */
export const searchBody = ({ downloadToken, matches, faces, indexing }: Answer) => ({
  matches: matches.map((each) => ({ ...each, similarity: 0.8, error: null })),
  faces,
  indexing,
  ...(downloadToken !== null && { download_token: downloadToken }),
});

interface Call {
  line: string;
  url: URL;
  headers: Headers;
  /** The fields of a form, by name; files as they are. */
  form: Record<string, FormDataEntryValue[]>;
  signal: AbortSignal;
}

type Reply = (call: Call) => Response | Promise<Response>;

/** Stands in for the server with forms: answers from a table of 'METHOD /path' and keeps every call. */
export function standInForms(table: Record<string, Reply>) {
  const calls: Call[] = [];
  let form: Call['form'] = {};
  // jsdom's form does not survive Node's Request, so the fields are taken where they are put in.
  vi.spyOn(FormData.prototype, 'append').mockImplementation((name: string, value: string | Blob) => {
    form[name] = [...(form[name] ?? []), value as FormDataEntryValue];
  });
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(input, location.origin), init);
    const url = new URL(request.url);
    const taken = form;
    form = {};
    const call: Call = {
      line: `${request.method} ${url.pathname}`,
      url,
      headers: request.headers,
      form: request.method === 'POST' ? taken : {},
      signal: init?.signal ?? request.signal,
    };
    calls.push(call);
    const reply = table[call.line];
    if (reply === undefined) throw new Error(`no answer for ${call.line}`);
    return reply(call);
  });
  return { calls, callsTo: (line: string) => calls.filter((call) => call.line === line) };
}

export const searchLine = 'POST /api/face/search/aanya-rohan';
export const eventLine = 'GET /api/events/aanya-rohan';

export const answering = (change: Partial<Answer> = {}) => ({
  [eventLine]: () => json(eventBody()),
  [searchLine]: () => json(searchBody(answer(change))),
});

/** Shows the guest's page at /event/aanya-rohan, with a plain page at /. */
export function openEventPage() {
  const router = createMemoryRouter(
    [
      { path: '/', element: <p>The landing page</p> },
      { path: '/privacy', element: <Link to="/">Privacy page</Link> },
      { path: '/event/:slug', element: <EventPage /> },
    ],
    { initialEntries: ['/event/aanya-rohan'] },
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = render(
    <AfterglowTheme>
      <QueryClientProvider client={client}>
        <SnackbarHost>
          <RouterProvider router={router} />
        </SnackbarHost>
      </QueryClientProvider>
    </AfterglowTheme>,
  );
  return { ...page, client };
}
