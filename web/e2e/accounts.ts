import { readFileSync } from 'node:fs';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { mailedLink, OFTEN } from './outbox';
import { picture } from './pictures';
import { type Server } from './server';

/** The password of every account made here. */
export const PASSWORD = 'correct horse';

/** A photographer who is logged in, for tests whose story starts later. */
export interface Photographer {
  readonly token: string;
  readonly user: Record<string, unknown>;
}

export interface Event {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export async function signUp(
  server: Server,
  request: APIRequestContext,
  email: string,
): Promise<Photographer> {
  const password = PASSWORD;
  const registration = { name: 'Mira Sen', email, password, is_photographer: true };
  await post(request, `${server.url}/api/auth/register`, registration);
  const link = new URL(await mailedLink(server.outbox, email, '/verify-email'));
  await post(request, `${server.url}/api/auth/verify-email`, { token: link.searchParams.get('token') });
  return (await post(request, `${server.url}/api/auth/login`, { email, password })) as Photographer;
}

/** The same for an administrator, whom the machine's operator makes one. */
export async function signUpAdministrator(
  server: Server,
  request: APIRequestContext,
  email: string,
): Promise<Photographer> {
  await signUp(server, request, email);
  server.run('user', 'admin', email, 'on');
  return (await post(request, `${server.url}/api/auth/login`, { email, password: PASSWORD })) as Photographer;
}

/** A picture to upload under a name. */
export interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
}

const opened = (given: string | Picture): Picture =>
  typeof given === 'string' ? { name: given, bytes: readFileSync(picture(given)) } : given;

/** An event of that photographer's with these pictures (fetched ones by name), all of them searchable. */
export async function createEvent(
  server: Server,
  request: APIRequestContext,
  { token }: Photographer,
  name: string,
  pictures: readonly (string | Picture)[],
): Promise<Event> {
  const headers = { Authorization: `Bearer ${token}` };
  const event = (await post(
    request,
    `${server.url}/api/events/`,
    { name, date: '2026-11-20' },
    headers,
  )) as Event;
  for (const { name: file, bytes } of pictures.map(opened)) {
    const photos = { name: file, mimeType: 'image/jpeg', buffer: bytes };
    const answer = await request.post(`${server.url}/api/photos/upload`, {
      headers,
      multipart: { photos, event_id: event.id },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  await areIndexed(server, request, event, pictures.length);
  return event;
}

/** Waits until so many photos of an event can be found. */
export async function areIndexed(
  server: Server,
  request: APIRequestContext,
  event: Event,
  photos: number,
): Promise<void> {
  const indexed = async () => {
    const answer = (await (await request.get(`${server.url}/api/events/${event.slug}`)).json()) as {
      indexing: { indexed: number };
    };
    return answer.indexing.indexed;
  };
  await expect.poll(indexed, { timeout: 90_000, intervals: OFTEN, message: 'photos indexed' }).toBe(photos);
}

export async function post(
  request: APIRequestContext,
  url: string,
  data: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const answer = await request.post(url, { data, headers });
  expect(answer.ok(), `${url}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** Puts the session into the browser as the login does; with an event, that one is chosen. */
export async function logIn(page: Page, { token, user }: Photographer, event?: Event): Promise<void> {
  const chosen = event && JSON.stringify({ ...event, date: '2026-11-20' });
  await page.addInitScript(
    ([tokenText, userText, eventText]) => {
      // Only once: what the page stores later has to outlive a reload.
      if (sessionStorage.getItem('seated') !== null) return;
      sessionStorage.setItem('seated', 'yes');
      localStorage.setItem('token', tokenText);
      localStorage.setItem('user', userText);
      if (eventText !== undefined) localStorage.setItem('selectedEvent', eventText);
    },
    [token, JSON.stringify(user), chosen] as const,
  );
}
