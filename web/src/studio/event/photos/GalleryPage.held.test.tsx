import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { json } from '../../../testing/server';
import { photos, renderPage, setUpGallery } from './testing';

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
