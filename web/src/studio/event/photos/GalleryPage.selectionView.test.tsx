import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { json } from '../../../testing/server';
import { renderPage, setUpGallery } from './testing';

const seen = 'POST /api/events/e1/selections/s1/seen';

beforeEach(setUpGallery);

it('shows what a client has chosen, with their words, and has seen it then [EVT212] [EVT213]', async () => {
  const photo = aPhoto({ id: 'p1', client_comment: 'This one for the cover' });
  let isNew = true;
  const { callsTo } = renderPage(
    {
      'GET /api/photos/search': () => json({ photos: [photo], total_count: 1, next_cursor: null }),
      'GET /api/events/e1/selections': () =>
        json({
          selections: [
            {
              id: 's1',
              name: 'Asha',
              url: 'https://afterglow.example/selection/x',
              album_deleted: false,
              chosen: 1,
              comments: 1,
              created_at: '2026-11-20T09:00:00Z',
              done_at: '2026-11-21T09:00:00Z',
              message: 'Thank you!',
              is_new: isNew,
            },
          ],
        }),
      [seen]: () => {
        isNew = false;
        return new Response(null, { status: 204 });
      },
    },
    '/admin/gallery?event=e1&selection=s1',
  );
  expect(await screen.findByRole('heading', { name: 'Asha has chosen these.' })).toBeVisible();
  expect(screen.getByText('Thank you!')).toBeVisible();
  expect(await screen.findByText(/This one for the cover/)).toBeVisible();
  await waitFor(() => expect(callsTo(seen)).toHaveLength(1));
  const query = callsTo('GET /api/photos/search').find((call) => call.query.get('selection_id') === 's1');
  expect(query).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: /^Open / }));
  await waitFor(() => expect(screen.getAllByText(/This one for the cover/).length).toBeGreaterThan(1));
});
