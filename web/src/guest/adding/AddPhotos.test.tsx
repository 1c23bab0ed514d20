import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, json, mockServer } from '../../testing/server';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import AddPhotos from './AddPhotos';
import { deviceOf } from './device';
import { sendPhoto } from './ownPhotos';

vi.mock(import('./ownPhotos'), async (original) => ({ ...(await original()), sendPhoto: vi.fn() }));

const user = userEvent.setup();
const list = 'GET /api/face/guest-photos/aanya-rohan';
const back = 'DELETE /api/face/guest-photos/aanya-rohan/a';

const own = (id: string, state: 'waiting' | 'in') => ({
  id,
  state,
  width: 6,
  height: 4,
  sent_at: '2026-11-20T09:00:00Z',
  goes_at: state === 'waiting' ? '2026-12-04T09:00:00Z' : null,
});

const answer =
  (photos: object[], more: object = {}) =>
  () =>
    json({ photos, taken: true, limit: 30, ...more });

async function open() {
  render(
    <SnackbarProvider>
      <AddPhotos slug="aanya-rohan" readAccess={() => 'proof'} />
    </SnackbarProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Add your photos' }));
  return screen.findByRole('dialog', { name: 'Add your photos' });
}

beforeEach(() => {
  vi.mocked(sendPhoto).mockReset();
  URL.createObjectURL = vi.fn(() => 'blob:picture');
  URL.revokeObjectURL = vi.fn();
});

test('[UPL268] photos are sent one after the other, with the name; what was refused says why', async () => {
  let photos: object[] = [];
  const server = mockServer({
    [list]: () => json({ photos, taken: true, limit: 3 }),
    'GET /api/face/guest-photos/aanya-rohan/a/thumbnail': () => new Response(new Blob(['bytes'])),
  });
  vi.mocked(sendPhoto).mockImplementation((_, file) => {
    if (file.name === 'b.mp4')
      return Promise.resolve({ kind: 'rejected', status: 400, error: 'This is a video.' } as const);
    photos = [own('a', 'waiting')];
    return Promise.resolve({ kind: 'accepted', photo: null, photoId: 'a', duplicate: false } as const);
  });
  const dialog = await open();
  expect(await within(dialog).findByText('You can add 3 more photos.')).toBeVisible();
  await user.type(within(dialog).getByRole('textbox', { name: 'Your name (optional)' }), ' Meera ');
  const files = [new File(['x'], 'a.jpg', { type: 'image/jpeg' }), new File(['y'], 'b.mp4')];
  await userEvent.setup({ applyAccept: false }).upload(within(dialog).getByTestId('guest-photos'), files);
  expect(await within(dialog).findByText('Waiting')).toBeVisible();
  expect(await within(dialog).findByText('This is a video.')).toBeVisible();
  expect(vi.mocked(sendPhoto).mock.calls.map(([, file, name]) => [file.name, name])).toEqual([
    ['a.jpg', 'Meera'],
    ['b.mp4', 'Meera'],
  ]);
  expect(await within(dialog).findByText('You can add 2 more photos.')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Remove b.mp4' }));
  expect(within(dialog).queryByText('This is a video.')).not.toBeInTheDocument();
  expect(server.callsTo(list).length).toBeGreaterThan(1);
});

test('[UPL261] what waits is taken back, and what is in is said to be', async () => {
  let photos = [own('a', 'waiting'), own('b', 'in')];
  const server = mockServer({
    [list]: () => json({ photos, taken: true, limit: 30 }),
    'GET /api/face/guest-photos/aanya-rohan/a/thumbnail': () => new Response(new Blob(['bytes'])),
    [back]: () => {
      photos = photos.filter(({ id }) => id !== 'a');
      return new Response(null, { status: 204 });
    },
  });
  const dialog = await open();
  expect(await within(dialog).findByText('In')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Take back photo 1' }));
  await waitFor(() => expect(within(dialog).queryByText('Waiting')).not.toBeInTheDocument());
  expect(within(dialog).getByText('In')).toBeVisible();
  expect(server.callsTo(back)).toHaveLength(1);
});

test('where no photos are taken any more, and where they cannot be loaded, that is said', async () => {
  mockServer({ [list]: answer([], { taken: false }) });
  const dialog = await open();
  expect(
    await within(dialog).findByText('The photographer of this event takes no photos from guests'),
  ).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: 'Choose photos' })).not.toBeInTheDocument();
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  mockServer({ [list]: () => errorResponse(500) });
  await user.click(screen.getByRole('button', { name: 'Add your photos' }));
  expect(await screen.findByRole('alert')).toBeVisible();
});

test('[SAFE435] a device has a secret for each event, and keeps it', () => {
  const secret = deviceOf('aanya-rohan');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(deviceOf('aanya-rohan')).toBe(secret);
  expect(deviceOf('another')).not.toBe(secret);
});
