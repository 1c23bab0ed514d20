import { act, render } from '@testing-library/react';
import { vi } from 'vitest';
import { SnackbarProvider } from '../ui/SnackbarProvider';
import { json } from '../testing/server';
import EventPage from './EventPage';
import type { Match, SearchResult } from './search/matches';
import type { SearchQuery } from './search/search';

export const match = (number: number, overrides: Partial<Match> = {}): Match => ({
  face_id: `face-${number}`,
  photo_id: `photo-${number}`,
  s3_key: `events/${number}`,
  url: `https://photos.example/api/files/${number}?size=preview`,
  medium_url: null,
  thumbnail_url: `https://photos.example/api/files/${number}?size=thumbnail`,
  color: null,
  size_bytes: null,
  filename: `DSC_${number}.JPG`,
  albums: [],
  captured_at: null,
  width: 600,
  height: 400,
  ...overrides,
});

export const matchList = (count: number): Match[] => Array.from({ length: count }, (_, at) => match(at + 1));

export const oneFace = { x: 0.3, y: 0.2, width: 0.3, height: 0.3 };

export const searchResult = (overrides: Partial<SearchResult> = {}): SearchResult => ({
  matches: matchList(3),
  albums: [],
  faces: [oneFace],
  blurred: false,
  indexing: { indexed: 412, waiting: 488, total: 900 },
  downloadTokens: [],
  searchToken: null,
  subscriptionToken: null,
  preview: null,
  receivedAt: Date.now(),
  ...overrides,
});

const pixel = 'data:image/png;base64,iVBORw0KGgo=';

export const searchQuery = (overrides: Partial<SearchQuery> = {}): SearchQuery => ({
  selfies: [{ image: new Blob(['x'], { type: 'image/png' }), preview: pixel }],
  face: null,
  strictness: 'normal',
  rejected: [],
  kept: null,
  ...overrides,
});

export const selfieFile = (name = 'selfie.png') => new File(['a selfie'], name, { type: 'image/png' });

export const eventBody = (overrides: object = {}) => ({
  id: 'event-1',
  name: 'Aanya & Rohan',
  date: '2026-11-14',
  slug: 'aanya-rohan',
  description: 'Sangeet night at the lake.',
  downloads: 'original',
  indexing: { indexed: 412, waiting: 488, total: 900 },
  ...overrides,
});

/** The response body of a search as the server writes it. */
export const searchBody = ({
  downloadTokens,
  searchToken,
  subscriptionToken,
  preview,
  matches,
  albums,
  faces,
  blurred,
  indexing,
}: SearchResult) => ({
  matches: matches.map((each) => ({ ...each, similarity: 0.8, error: null })),
  ...(albums.length > 0 && { albums }),
  faces,
  blurred,
  indexing,
  download_token: downloadTokens[0] ?? null,
  search_token: searchToken,
  subscription_token: subscriptionToken,
  preview,
});

interface Call {
  route: string;
  url: URL;
  headers: Headers;
  /** The fields of a form, by name; files as they are. */
  form: Record<string, FormDataEntryValue[]>;
  /** The JSON of the request; null if it has none. */
  body: unknown;
  signal: AbortSignal;
}

type Handler = (call: Call) => Response | Promise<Response>;

/** Mocks `fetch` for multipart requests: responds from a table of 'METHOD /path' handlers and records every call. */
export function mockFormServer(handlers: Record<string, Handler>) {
  const calls: Call[] = [];
  // Node's Request cannot serialize jsdom's FormData, so the fields are recorded when they are appended. Forms are sent in
  // the order in which they were begun.
  const forms = new Map<FormData, Call['form']>();
  vi.spyOn(FormData.prototype, 'append').mockImplementation(function (this: FormData, name, value) {
    const form = forms.get(this) ?? {};
    forms.set(this, { ...form, [name]: [...(form[name] ?? []), value as FormDataEntryValue] });
  });
  const takeForm = (): Call['form'] => {
    for (const [key, form] of forms) {
      forms.delete(key);
      return form;
    }
    return {};
  };
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(input, location.origin), init);
    const url = new URL(request.url);
    const isJson = request.headers.get('Content-Type') === 'application/json';
    const call: Call = {
      route: `${request.method} ${url.pathname}`,
      url,
      headers: request.headers,
      form: request.method === 'POST' && !isJson ? takeForm() : {},
      body: isJson ? await request.clone().json() : null,
      signal: init?.signal ?? request.signal,
    };
    calls.push(call);
    // How far an event's photos are is part of the event, unless a test says something else.
    const whole = handlers[call.route.replace(/\/indexing$/, '')];
    if (handlers[call.route] === undefined && call.route.endsWith('/indexing') && whole !== undefined) {
      const response = await whole(call);
      if (!response.ok) return response;
      const { indexing } = (await response.json()) as { indexing: object };
      return json(indexing);
    }
    const handler = handlers[call.route];
    if (handler === undefined) throw new Error(`no handler for ${call.route}`);
    return handler(call);
  });
  return { calls, callsTo: (line: string) => calls.filter((call) => call.route === line) };
}

export const searchRoute = 'POST /api/face/search/aanya-rohan';
export const repeatRoute = 'POST /api/face/search/aanya-rohan/again';
export const eventRoute = 'GET /api/events/aanya-rohan';

export const searchHandlers = (overrides: Partial<SearchResult> = {}) => ({
  [eventRoute]: () => json(eventBody()),
  [searchRoute]: () => json(searchBody(searchResult(overrides))),
});

/** Renders the page of the event aanya-rohan. */
export function renderEventPage() {
  const onMissing = vi.fn<() => void>();
  const page = render(
    <SnackbarProvider>
      <EventPage slug="aanya-rohan" onMissing={onMissing} />
    </SnackbarProvider>,
  );
  return { ...page, onMissing };
}

/** Replaces AbortSignal.timeout by signals that the test aborts. */
export function mockTimeouts() {
  const timeouts: { milliseconds: number; end: () => void }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    timeouts.push({ milliseconds, end: () => controller.abort(new DOMException('late', 'TimeoutError')) });
    return controller.signal;
  });
  return timeouts;
}

/** A handler that never answers, and fails when the request is aborted. */
export const never = ({ signal }: { signal: AbortSignal }) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** What the browser's Back does, which jsdom does asynchronously. */
export async function goBack() {
  await act(async () => {
    const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    window.history.back();
    await arrived;
  });
}
