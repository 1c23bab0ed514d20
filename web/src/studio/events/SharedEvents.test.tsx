import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { selectEvent } from '../../platform/session/selection';
import { storedSelectedEvent } from '../../platform/storage/storage';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import EventsPage from './EventsPage';

const user = userEvent.setup();
const own = anEvent({ id: 'own', name: 'Mehendi' });
const contributed = anEvent({ role: 'contributor', owner_name: 'Mira Sen' });
const managed = anEvent({
  id: 'e2',
  name: 'Dinner',
  role: 'manager',
  owner_name: 'Asha Rao',
  latest_expires_on: '2026-12-14',
});

async function renderShared(
  more: Parameters<typeof mockServer>[0] = {},
  events = [own, contributed, managed],
) {
  const listed = [...events];
  const server = mockServer({
    ...listing(() => listed),
    'DELETE /api/events/e1/membership': () => {
      listed.splice(listed.indexOf(contributed), 1);
      return new Response(null, { status: 204 });
    },
    ...more,
  });
  const view = renderScreen(<EventsPage />, '/admin/events');
  await user.click(await screen.findByRole('button', { name: 'Shared with you (2)' }));
  return { server, ...view };
}
const card = async (name: string) => within(await screen.findByRole('article', { name }));
const labels = (list: HTMLElement[]) =>
  list.map((each) => each.getAttribute('aria-label') ?? each.textContent);

beforeEach(signIn);

it('are a list of their own, with the owner and the role', async () => {
  const { router } = await renderShared();
  expect((await card('Sangeet')).getByText('Mira Sen owns it, you upload photos.')).toBeVisible();
  expect((await card('Dinner')).getByText('Asha Rao owns it, you manage it.')).toBeVisible();
  expect(screen.queryByRole('article', { name: 'Mehendi' })).toBeNull();
  expect(router.state.location.search).toBe('?list=shared');
  await user.click(screen.getByRole('button', { name: 'Your events' }));
  const mine = await card('Mehendi');
  expect(mine.queryByText('Shared with you')).toBeNull();
  expect(screen.queryByRole('article', { name: 'Sangeet' })).toBeNull();
});

it('offer a contributor uploading, their gallery and leaving', async () => {
  await renderShared();
  const sangeet = await card('Sangeet');
  expect(labels(sangeet.getAllByRole('button'))).toEqual(['Upload', 'Gallery', 'Leave']);
  expect(sangeet.queryByRole('switch')).toBeNull();
  expect(sangeet.queryByRole('textbox')).toBeNull();
  expect(sangeet.getByRole('link', { name: 'Sangeet' })).toHaveAttribute('href', '/admin/gallery?event=e1');
});

it('offer a manager all but the deletion', async () => {
  await renderShared();
  const dinner = await card('Dinner');
  expect(dinner.queryByRole('button', { name: 'Delete' })).toBeNull();
  expect(dinner.getByRole('button', { name: 'Leave' })).toBeVisible();
  expect(dinner.getByRole('button', { name: 'QR Code' })).toBeVisible();
});

it('are left after a question', async () => {
  selectEvent(contributed);
  const { server } = await renderShared();
  await user.click((await card('Sangeet')).getByRole('button', { name: 'Leave' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Leave Sangeet?' }));
  expect(dialog.getByText(/Your photos stay in the event\./)).toBeVisible();
  expect(server.callsTo('DELETE /api/events/e1/membership')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Leave event' }));
  expect(await screen.findByText('You have left Sangeet.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Sangeet' })).toBeNull());
  expect(storedSelectedEvent.read()).toBeNull();
});

it('stay when leaving fails, which the dialog says', async () => {
  await renderShared({
    'DELETE /api/events/e1/membership': () => errorResponse(404, 'Event not found', 'event_not_found'),
  });
  await user.click((await card('Sangeet')).getByRole('button', { name: 'Leave' }));
  await user.click(screen.getByRole('button', { name: 'Leave event' }));
  expect(await screen.findByText('Event not found')).toBeVisible();
});

it('have no switch while there are none, and say so on their list', async () => {
  mockServer({ ...listing(() => [own]) });
  const first = renderScreen(<EventsPage />, '/admin/events');
  await card('Mehendi');
  expect(screen.queryByRole('group', { name: 'Which events are shown' })).toBeNull();
  first.unmount();
  renderScreen(<EventsPage />, '/admin/events?list=shared');
  expect(await screen.findByRole('heading', { name: 'Nothing is shared with you' })).toBeVisible();
});

it('have the cover of the photos that may be seen', async () => {
  const { server } = await renderShared(
    { 'GET /api/photos/search': () => json({ photos: [], total_count: 3, next_cursor: null }) },
    [own, { ...contributed, total_photos_uploaded: 40 }, managed],
  );
  expect(await (await card('Sangeet')).findByText('3 photos')).toBeVisible();
  expect(server.callsTo('GET /api/photos/search')).toHaveLength(1);
});
