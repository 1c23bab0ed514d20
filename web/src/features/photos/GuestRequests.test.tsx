import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen, signIn } from '../../shared/testing/render';
import { errorResponse, json, mockServer } from '../../shared/testing/server';
import { GuestRequests } from './GuestRequests';

const user = userEvent.setup();
const list = 'GET /api/events/e1/objections';
const decide = 'PUT /api/objections/o1';
const photo = (number: number, in_force = true) => ({
  photo_id: `p${number}`,
  filename: `DSC_${number}.JPG`,
  in_force,
  hidden: in_force,
  url: `https://photos.example/${number}`,
  thumbnail_url: null,
  width: 600,
  height: 400,
});
const request = (overrides: object = {}) => ({
  id: 'o1',
  event_id: 'e1',
  choice: 'hide',
  created_at: '2026-11-20T09:00:00Z',
  in_force: true,
  seen: true,
  photos: [photo(1), photo(2)],
  ...overrides,
});

beforeEach(signIn);

test('[FACE199] hidden photos are shown again one by one, all at once, or deleted', async () => {
  let current = request();
  const server = mockServer({
    [list]: () => json({ objections: [current] }),
    [decide]: ({ body }) => {
      const shown = (body as { photo_ids?: string[] }).photo_ids ?? ['p1', 'p2'];
      const photos = current.photos.map((each) =>
        shown.includes(each.photo_id) ? { ...each, in_force: false } : each,
      );
      current = request({ photos, in_force: photos.some(({ in_force }) => in_force) });
      return json(current);
    },
  });
  const onDelete = vi.fn();
  renderScreen(<GuestRequests eventId="e1" onDelete={onDelete} />, '/admin/gallery');
  const article = await screen.findByRole('article', { name: 'A guest hid 2 photos they are in' });
  await user.click(within(article).getByRole('button', { name: 'Delete DSC_1.JPG' }));
  expect(onDelete).toHaveBeenCalledWith(['p1']);
  await user.click(within(article).getByRole('button', { name: 'Show again: DSC_1.JPG' }));
  await waitFor(() =>
    expect(within(article).queryByRole('button', { name: 'Show again: DSC_1.JPG' })).not.toBeInTheDocument(),
  );
  await user.click(await within(article).findByRole('button', { name: 'Show all again' }));
  expect(await within(article).findByRole('button', { name: 'Hide again' })).toBeVisible();
  expect(server.callsTo(decide).map(({ body }) => body)).toEqual([
    { in_force: false, photo_ids: ['p1'] },
    { in_force: false },
  ]);
});

test('[FACE199] what cannot be saved is said, and without requests there is nothing', async () => {
  mockServer({
    [list]: () => json({ objections: [request({ choice: 'stop_finding' })] }),
    [decide]: () => errorResponse(500),
  });
  renderScreen(<GuestRequests eventId="e1" onDelete={vi.fn()} />, '/admin/gallery');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('The decision could not be saved. Please try again.')).toBeVisible();
  expect(screen.getByRole('article', { name: 'A guest does not want to be found any more' })).toBeVisible();
});

test('[NOTE029] [NOTE031] what is shown is seen, and a link to the requests gets the focus once', async () => {
  const see = 'PUT /api/objections/o2/seen';
  const server = mockServer({
    [list]: () => json({ objections: [request({ id: 'o2', seen: false }), request({ seen: false })] }),
    [see]: () => new Response(null, { status: 204 }),
  });
  const { router } = renderScreen(
    <GuestRequests eventId="e1" onDelete={vi.fn()} />,
    '/admin/gallery?event=e1&show=requests',
  );
  const heading = await screen.findByRole('heading', { name: 'Requests of guests' });
  await waitFor(() => expect(heading).toHaveFocus());
  await waitFor(() => expect(router.state.location.search).toBe('?event=e1'));
  expect(server.callsTo(see)).toHaveLength(1);
});
