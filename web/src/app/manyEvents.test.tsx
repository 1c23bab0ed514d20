import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { selectEvent } from '../platform/session/selection';
import { storedSelectedEvent } from '../platform/storage/storage';
import { listing } from '../testing/events';
import { anEvent } from '../testing/fixtures';
import { signIn } from '../testing/render';
import { json, mockServer } from '../testing/server';
import { renderApp } from './testing';

const count = 3000;
const events = Array.from({ length: count }, (_, number) =>
  anEvent({
    id: `n${String(number)}`,
    name: `Party ${String(number)}`,
    slug: `party-${String(number)}-k7m2x9q4tr`,
    ...(number === 2000 && { deleting: true, task_id: 'task' }),
  }),
);

/** The numbers of events in the answers. */
const answered: number[] = [];
const search = listing(() => events)['GET /api/events/search'];

function serve() {
  return mockServer({
    'GET /api/events/search': async (call) => {
      const answer = await search?.(call);
      if (answer === undefined) throw new Error('no answer');
      answered.push(((await answer.clone().json()) as { events: unknown[] }).events.length);
      return answer;
    },
    'GET /api/events/analytics': () =>
      json({
        summary: { total_events: count, active_events: count, deleted_events: 0, total_photos_uploaded: 0 },
        recent_deleted_events: [],
        all_events: [],
        days: [],
      }),
    'GET /api/events/task/task': () => json({ status: 'running' }),
    'GET /api/objections': () =>
      json({
        objections: [
          { id: 'o', event_id: 'n2500', choice: 'hide', created_at: '2026-11-20T09:00:00Z', seen: false },
        ],
      }),
    'GET /api/photos/search': () => json({ photos: [], total_count: 0, next_cursor: null }),
    'GET /api/subscription/credits': () =>
      json({ credits: 618, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
    'HEAD /api/health': () => new Response(null),
  });
}

/** Opens an address as a reload does. */
function open(path: string): void {
  cleanup();
  window.history.replaceState(null, '', path);
  renderApp();
}

it('no screen loads all events of a photographer who has 3,000', async () => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 600));
  signIn();
  selectEvent(events[1500] as (typeof events)[number]);
  const server = serve();
  open('/admin/overview');
  expect(await screen.findByText('Account Summary')).toBeVisible();

  // What the whole list was read for: the selected event, a deletion of an earlier load, names of notifications.
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }));
  expect(await screen.findByText(/^Party 2000 is being deleted/)).toBeVisible();
  expect(await screen.findByText(/^1 new request in Party 2500/)).toBeVisible();
  await userEvent.keyboard('{Escape}');

  open('/admin/events');
  expect(await screen.findByRole('article', { name: 'Party 0' })).toBeVisible();
  open('/admin/upload');
  expect(await screen.findByLabelText('Choose photos')).toBeInTheDocument();
  open('/admin/gallery?event=gone');
  expect(await screen.findByText('Select an Event')).toBeVisible();
  expect(await screen.findByRole('button', { name: /Party 23/ })).toBeVisible();
  open('/admin/gallery?event=n2900');
  expect(await screen.findByRole('heading', { name: 'Party 2900' })).toBeVisible();
  expect(storedSelectedEvent.read()?.name).toBe('Party 2900');
  await userEvent.click(await screen.findByRole('button', { name: /change event$/ }));
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(24));

  expect(server.callsTo('GET /api/events/')).toEqual([]);
  expect(Math.max(...answered)).toBe(24);
});
