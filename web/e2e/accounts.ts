import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type APIRequestContext, expect } from '@playwright/test';
import { mailedLink } from './outbox';
import { picture } from './pictures';
import { type Server } from './server';

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
  const password = 'correct horse';
  const registration = { name: 'Mira Sen', email, password, is_photographer: true };
  await post(request, `${server.url}/api/auth/register`, registration);
  const link = new URL(await mailedLink(server.outbox, email, '/verify-email'));
  await post(request, `${server.url}/api/auth/verify-email`, { token: link.searchParams.get('token') });
  return (await post(request, `${server.url}/api/auth/login`, { email, password })) as Photographer;
}

/** An event of that photographer's with these fetched pictures, all of them searchable. */
export async function holdEvent(
  server: Server,
  request: APIRequestContext,
  { token }: Photographer,
  name: string,
  pictures: readonly string[],
): Promise<Event> {
  const headers = { Authorization: `Bearer ${token}` };
  const event = (await post(
    request,
    `${server.url}/api/events/`,
    { name, date: '2026-11-20' },
    headers,
  )) as Event;
  for (const path of pictures.map(picture)) {
    const photos = { name: basename(path), mimeType: 'image/jpeg', buffer: readFileSync(path) };
    const answer = await request.post(`${server.url}/api/photos/upload`, {
      headers,
      multipart: { photos, event_id: event.id },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  const indexed = async () => {
    const answer = (await (await request.get(`${server.url}/api/events/${event.slug}`)).json()) as {
      indexing: { indexed: number };
    };
    return answer.indexing.indexed;
  };
  await expect.poll(indexed, { timeout: 90_000, message: 'photos indexed' }).toBe(pictures.length);
  return event;
}

async function post(
  request: APIRequestContext,
  url: string,
  data: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const answer = await request.post(url, { data, headers });
  expect(answer.ok(), `${url}: ${await answer.text()}`).toBe(true);
  return answer.json();
}
