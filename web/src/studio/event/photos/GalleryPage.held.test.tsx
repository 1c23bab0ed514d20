import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { json } from '../../../testing/server';
import { deleting, photos, renderPage, setUpGallery } from './testing';

const user = userEvent.setup();
const route = 'PUT /api/events/e1/publication';

beforeEach(setUpGallery);

it('says how many photos are held, and publishes those that it has counted [EVT181] [EVT182]', async () => {
  let held = true;
  const indexing = { indexed: 2, waiting: 0, failed: 0, total: 2 };
  const holding = anEvent({ indexing, publication: 'held', held_photos: 2, held_through: 9 });
  const published = anEvent({ indexing, publication: 'held' });
  const { callsTo } = renderPage({
    ...listing(() => [held ? holding : published]),
    'GET /api/photos/search': () =>
      json({ photos: photos(2).map((photo) => ({ ...photo, held })), total_count: 2, next_cursor: null }),
    [route]: () => {
      held = false;
      return json(published);
    },
  });
  expect(await screen.findByText('2 photos are held. Guests do not see them yet.')).toBeVisible();
  expect(await screen.findAllByText('Held')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Publish 2 photos' }));
  expect(await screen.findByText('2 photos are published.')).toBeVisible();
  expect(callsTo(route).map(({ body }) => body)).toEqual([{ publish_through: 9 }]);
  await waitFor(() => expect(screen.queryByText('Held')).toBeNull());
  expect(screen.queryByText(/photos are held/)).toBeNull();
});

it('has nothing of it where nothing is held [EVT181]', async () => {
  renderPage();
  expect(await screen.findByRole('button', { name: /Open DSC_0\.jpg/ })).toBeVisible();
  expect(screen.queryByText(/held/)).toBeNull();
});

it('keeps the photos that are loaded, and those selected, when some of the held ones are deleted [EVT181]', async () => {
  let deleted = false;
  const event = (held: number) =>
    anEvent({
      indexing: { indexed: held, waiting: 0, failed: 0, total: held },
      publication: 'held',
      held_photos: held,
      held_through: 9,
    });
  const { callsTo } = renderPage({
    ...listing(() => [event(deleted ? 2 : 3)]),
    'GET /api/photos/search': () =>
      deleted
        ? new Promise<Response>(() => undefined)
        : json({
            photos: photos(3).map((photo) => ({ ...photo, held: true })),
            total_count: 3,
            next_cursor: null,
          }),
    'POST /api/photos/trash': (call) => {
      deleted = true;
      return deleting(call);
    },
  });
  await screen.findByText('3 photos are held. Guests do not see them yet.');
  await user.click(await screen.findByRole('button', { name: /Open DSC_1\.jpg/ }));
  const lightbox = await screen.findByRole('dialog', { name: 'Lightbox' });
  const asked = callsTo('GET /api/photos/search').length;
  await user.click(within(lightbox).getByRole('button', { name: /^Delete/ }));
  expect(await within(lightbox).findByText('2 of 2')).toBeVisible();
  await waitFor(() => expect(document.body).toHaveTextContent('2 photos are held.'));
  expect(screen.getByRole('dialog', { name: 'Lightbox' })).toBeVisible();
  expect(document.querySelectorAll('[data-photo]')).toHaveLength(2);
  expect(callsTo('GET /api/photos/search')).toHaveLength(asked);
});

it('asks again of all loaded photos which are held when others published some, and keeps them meanwhile [EVT181]', async () => {
  let held = 30;
  const answers: (() => void)[] = [];
  const { callsTo } = renderPage({
    ...listing(() => [
      anEvent({
        indexing: { indexed: 30, waiting: 0, failed: 0, total: 30 },
        publication: 'held',
        held_photos: held,
        held_through: 9,
      }),
    ]),
    'GET /api/photos/search': async ({ query }) => {
      const list = photos(30).map((photo, index) => ({ ...photo, held: index < held }));
      if (held < 30) await new Promise<void>((resolve) => answers.push(resolve));
      const limit = Number(query.get('limit'));
      return json({
        photos: list.slice(0, limit),
        total_count: 30,
        next_cursor: limit < 30 ? `p${limit - 1}` : null,
      });
    },
  });
  await screen.findByText('30 photos are held. Guests do not see them yet.');
  await user.click(await screen.findByRole('checkbox', { name: 'Select DSC_29.jpg' }));
  held = 10;
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  await screen.findByText('10 photos are held. Guests do not see them yet.');
  expect(screen.getAllByText('Held')).toHaveLength(30);
  expect(screen.getByText('1 photo selected')).toBeVisible();
  await waitFor(() => {
    for (const answer of answers.splice(0)) answer();
    expect(screen.getAllByText('Held')).toHaveLength(10);
  });
  expect(screen.getByText('1 photo selected')).toBeVisible();
  expect(callsTo('GET /api/photos/search').at(-1)?.query.get('limit')).toBe('200');
});
