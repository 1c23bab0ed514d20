import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { json, mockServer } from '../testing/server';
import { anEvent } from '../testing/fixtures';
import { eventsQuery } from './queries';

const user = { name: 'Guest', email: 'guest@example.com', is_photographer: false };

it('fetches events only for a photographer with a token [API032]', async () => {
  const server = mockServer({ 'GET /api/events/': () => json([anEvent()]) });
  const client = new QueryClient();
  const listOf = async (session: Parameters<typeof eventsQuery>[0]) => {
    const observer = new QueryObserver(client, eventsQuery(session));
    const stop = observer.subscribe(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop();
    return observer.getCurrentResult().data ?? [];
  };
  expect(await listOf({ token: 'a', user, isPhotographer: false })).toEqual([]);
  expect(await listOf({ token: null, user: null, isPhotographer: false })).toEqual([]);
  expect(server.calls).toHaveLength(0);
  expect(await listOf({ token: 'a', user, isPhotographer: true })).toHaveLength(1);
});
