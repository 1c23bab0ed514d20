import { type APIRequestContext, expect } from '@playwright/test';
import type { Event, Photographer } from './accounts';
import type { Server } from './server';

/** Milliseconds: maintenance looks each minute. */
const UNTIL_GROUPED = 120_000;

/** Waits until the faces of an event are put together. */
export async function groupedPeople(
  server: Server,
  request: APIRequestContext,
  { token }: Photographer,
  event: Event,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const isGrouped = async () => {
    const answer = await request.get(`${server.url}/api/events/${event.id}/people`, { headers });
    const { total_count, waiting_faces } = (await answer.json()) as {
      total_count: number;
      waiting_faces: number;
    };
    return total_count > 0 && waiting_faces === 0;
  };
  await expect.poll(isGrouped, { timeout: UNTIL_GROUPED, message: 'faces put together' }).toBe(true);
}
