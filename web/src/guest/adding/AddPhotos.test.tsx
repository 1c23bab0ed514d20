import { act, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { UploadOutcome } from '../../platform/api/uploadOutcomes';
import { errorResponse, json, mockServer } from '../../testing/server';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import type { Access } from '../pin/access';
import AddPhotos from './AddPhotos';
import { deviceOf } from './device';
import { guestOf, sendPhoto } from './ownPhotos';
import { useSending } from './useSending';

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

const access: Access = {
  readAccess: () => 'proof',
  refuseAccess: () => undefined,
  subscribe: () => () => undefined,
};

const answer =
  (photos: object[], more: object = {}) =>
  () =>
    json({ photos, taken: true, limit: 30, ...more });

async function open() {
  const view = render(
    <SnackbarProvider>
      <AddPhotos slug="aanya-rohan" access={access} />
    </SnackbarProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Add your photos' }));
  return { dialog: await screen.findByRole('dialog', { name: 'Add your photos' }), view };
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
  const { dialog } = await open();
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

test('closing the sheet does not stop the sending, and each photo has the name it was chosen with', async () => {
  mockServer({ [list]: answer([]) });
  const ends: (() => void)[] = [];
  vi.mocked(sendPhoto).mockImplementation(
    (_guest, _file, _name, _progress, signal) =>
      new Promise((resolve) => {
        ends.push(() =>
          resolve(
            signal.aborted
              ? { kind: 'aborted' }
              : { kind: 'accepted', photo: null, photoId: 'a', duplicate: false },
          ),
        );
      }),
  );
  const { dialog } = await open();
  const field = await within(dialog).findByRole('textbox', { name: 'Your name (optional)' });
  const choose = (name: string) =>
    user.upload(within(dialog).getByTestId('guest-photos'), new File([name], name, { type: 'image/jpeg' }));
  await user.type(field, 'Meera');
  await choose('a.jpg');
  await user.clear(field);
  await user.type(field, 'Ravi');
  await choose('b.jpg');
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  act(() => ends[0]?.());
  await waitFor(() =>
    expect(vi.mocked(sendPhoto).mock.calls.map(([, file, name]) => [file.name, name])).toEqual([
      ['a.jpg', 'Meera'],
      ['b.jpg', 'Ravi'],
    ]),
  );
  await user.click(screen.getByRole('button', { name: 'Add your photos' }));
  expect(await screen.findByRole('progressbar', { name: 'Sending b.jpg' })).toBeVisible();
  expect(screen.queryByRole('progressbar', { name: 'Sending a.jpg' })).not.toBeInTheDocument();
  act(() => ends[1]?.());
  await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument());
});

test('what was chosen is sent while the guest searches, and the browser asks before it leaves the page', async () => {
  mockServer({ [list]: answer([]) });
  const ends: (() => void)[] = [];
  vi.mocked(sendPhoto).mockImplementation(
    (_guest, _file, _name, _progress, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'aborted' }));
        ends.push(() => resolve({ kind: 'accepted', photo: null, photoId: 'a', duplicate: false }));
      }),
  );
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(asks()).toBe(false);
  const { dialog, view } = await open();
  const files = ['a.jpg', 'b.jpg'].map((name) => new File([name], name, { type: 'image/jpeg' }));
  await user.upload(await within(dialog).findByTestId('guest-photos'), files);
  expect(asks()).toBe(true);
  view.unmount();
  expect(asks()).toBe(true);
  act(() => ends[0]?.());
  await waitFor(() => expect(sendPhoto).toHaveBeenCalledTimes(2));
  const { dialog: again } = await open();
  expect(await within(again).findByRole('progressbar', { name: 'Sending b.jpg' })).toBeVisible();
  expect(within(again).queryByRole('progressbar', { name: 'Sending a.jpg' })).not.toBeInTheDocument();
  act(() => ends[1]?.());
  expect(
    await within(again).findByText('A photo has arrived. It waits for the photographer.'),
  ).toBeInTheDocument();
  expect(within(again).queryByRole('progressbar')).not.toBeInTheDocument();
  expect(asks()).toBe(false);
});

test('a photo that stands still is given up, and one that moves goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  mockServer({ [list]: answer([]) });
  const guest = guestOf('standing-still', access);
  const { result } = renderHook(() => useSending(guest));
  const file = new File(['x'], 'a.jpg');
  let attempts = 0;
  // The server says at each attempt how much is there: the same, from the sixth on.
  vi.mocked(sendPhoto).mockImplementation((_guest, _file, _name, onProgress) => {
    attempts += 1;
    onProgress(Math.min(attempts, 6), 10);
    return Promise.resolve({ kind: 'cut', reached: true, moved: attempts <= 6 } as const);
  });
  act(() => result.current.add([file], ''));
  await act(() => vi.advanceTimersByTimeAsync(300_000));
  expect(result.current.sending).toMatchObject([
    { file, progress: 60, failure: expect.any(String) as string },
  ]);
  expect(attempts).toBe(10);
  vi.useRealTimers();
});

/** A sender of an event of its own, and what the answers to its attempts are. */
function startSending(slug: string, outcomes: (UploadOutcome | null)[], asked: Access = access) {
  const attempts: string[] = [];
  vi.mocked(sendPhoto).mockImplementation((_guest, { name }) => {
    attempts.push(name);
    return Promise.resolve(outcomes.shift() ?? accepted);
  });
  const { result } = renderHook(() => useSending(guestOf(slug, asked)));
  return { attempts, sending: () => result.current.sending, queue: () => result.current };
}

const accepted: UploadOutcome = { kind: 'accepted', photo: null, photoId: 'a', duplicate: false };
const unreached: UploadOutcome = { kind: 'cut', reached: false, moved: false };
const timers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

test('[FACE558] a photo that does not reach the server waits until the network is back', async () => {
  timers();
  const { attempts, sending, queue } = startSending(
    'offline',
    Array.from({ length: 10 }, () => unreached),
  );
  act(() => queue().add([new File(['x'], 'a.jpg')], ''));
  // The pauses grow to a minute.
  for (let minutes = 0; minutes < 8 && attempts.length < 10; minutes += 1)
    await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(attempts).toHaveLength(10);
  expect(sending()).toMatchObject([{ failure: null }]);
  await act(async () => {
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(attempts).toHaveLength(11);
  expect(sending()).toEqual([]);
  vi.useRealTimers();
});

test('a photo whose code is not there waits while the device is offline, and is given up where it is online', async () => {
  // [FACE558]
  timers();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { sending, queue } = startSending('without-code', []);
  const missing = vi.mocked(sendPhoto).mockRejectedValue(new TypeError('Failed to fetch'));
  act(() => queue().add([new File(['x'], 'a.jpg')], ''));
  await act(() => vi.advanceTimersByTimeAsync(600_000));
  expect(missing.mock.calls.length).toBeGreaterThan(8);
  expect(sending()).toMatchObject([{ failure: null, waits: true }]);
  onLine.mockReturnValue(true);
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(sending()).toMatchObject([{ failure: expect.any(String) as string }]);
  vi.useRealTimers();
});

test('a photo that waits for the network can be removed, and the next one is sent', async () => {
  // [FACE558]
  mockServer({ [list]: answer([]) });
  const { dialog } = await open();
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  vi.mocked(sendPhoto).mockImplementation((_guest, { name }, _name, onProgress, signal) => {
    signals.push(signal);
    if (name === 'a.jpg') return Promise.resolve(unreached);
    onProgress(1, 2);
    return new Promise((resolve) => ends.push(() => resolve(accepted)));
  });
  const files = ['a.jpg', 'b.jpg'].map((name) => new File([name], name, { type: 'image/jpeg' }));
  await user.upload(await within(dialog).findByTestId('guest-photos'), files);
  await user.click(await within(dialog).findByRole('button', { name: 'Remove a.jpg' }));
  expect(within(dialog).queryByText('a.jpg')).not.toBeInTheDocument();
  await waitFor(() => expect(ends).toHaveLength(1));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(within(dialog).queryByRole('button', { name: 'Remove b.jpg' })).not.toBeInTheDocument();
  act(() => ends[0]?.());
  await waitFor(() => expect(within(dialog).queryByText('b.jpg')).not.toBeInTheDocument());
  expect(sendPhoto).toHaveBeenCalledTimes(2);
});

test('[FACE558] a photo waits while the PIN of the event is asked for, and goes on once it is entered', async () => {
  let proof: string | null = 'old';
  const listeners: (() => void)[] = [];
  const asked: Access = {
    readAccess: () => proof,
    refuseAccess: () => undefined,
    subscribe: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const { attempts, sending, queue } = startSending(
    'asks-a-pin',
    [{ kind: 'rejected', status: 403, error: 'Please enter the PIN.', code: 'event_pin_required' }],
    asked,
  );
  proof = null;
  act(() => queue().add([new File(['x'], 'a.jpg'), new File(['y'], 'b.jpg')], ''));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(attempts).toEqual(['a.jpg']);
  expect(sending()).toMatchObject([{ failure: null }, { failure: null }]);
  proof = 'new';
  await act(() => {
    for (const listener of listeners) listener();
    return Promise.resolve();
  });
  await waitFor(() => expect(sending()).toEqual([]));
  expect(attempts).toEqual(['a.jpg', 'a.jpg', 'b.jpg']);
});

test('what has failed stays when others are chosen, until it is sent once more', async () => {
  mockServer({ [list]: answer([]) });
  const refused = { kind: 'rejected', status: 429, error: 'Please try again in 40 minutes.' } as const;
  const outcomes: UploadOutcome[] = [refused];
  const attempts: string[] = [];
  vi.mocked(sendPhoto).mockImplementation((_guest, { name }) => {
    attempts.push(name);
    return Promise.resolve(outcomes.shift() ?? accepted);
  });
  const { dialog } = await open();
  const choose = async (...names: string[]) =>
    user.upload(
      await within(dialog).findByTestId('guest-photos'),
      names.map((name) => new File([name], name, { type: 'image/jpeg', lastModified: 1 })),
    );
  await choose('a.jpg');
  expect(await within(dialog).findByText(refused.error)).toBeVisible();
  await choose('b.jpg');
  await waitFor(() => expect(attempts).toEqual(['a.jpg', 'b.jpg']));
  expect(within(dialog).getByText(refused.error)).toBeVisible();
  // Chosen again it is no second one.
  outcomes.push(refused);
  await choose('a.jpg');
  await waitFor(() => expect(attempts).toHaveLength(3));
  expect(await within(dialog).findAllByText(refused.error)).toHaveLength(1);
  await user.click(within(dialog).getByRole('button', { name: 'Try again a.jpg' }));
  await waitFor(() => expect(within(dialog).queryByText(refused.error)).not.toBeInTheDocument());
  expect(attempts).toEqual(['a.jpg', 'b.jpg', 'a.jpg', 'a.jpg']);
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
  const { dialog } = await open();
  expect(await within(dialog).findByText('In')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Take back photo 1' }));
  await waitFor(() => expect(within(dialog).queryByText('Waiting')).not.toBeInTheDocument());
  expect(within(dialog).getByText('In')).toBeVisible();
  expect(server.callsTo(back)).toHaveLength(1);
});

test('why a photo is not taken back stays, with what became of it meanwhile', async () => {
  let state: 'waiting' | 'in' = 'waiting';
  mockServer({
    [list]: () => json({ photos: [own('a', state)], taken: true, limit: 30 }),
    'GET /api/face/guest-photos/aanya-rohan/a/thumbnail': () => new Response(new Blob(['bytes'])),
    [back]: () => {
      state = 'in';
      return errorResponse(409, 'This photo is already let in.', 'guest_photo_let_in');
    },
  });
  const { dialog } = await open();
  await user.click(await within(dialog).findByRole('button', { name: 'Take back photo 1' }));
  expect(await within(dialog).findByText('In')).toBeVisible();
  expect(await within(dialog).findByRole('alert')).toBeVisible();
  await waitFor(() => expect(within(dialog).getByRole('heading')).toHaveFocus());
  expect(within(dialog).getByRole('alert')).toHaveTextContent('already');
});

test('no photos are chosen where no more can be added', async () => {
  mockServer({ [list]: answer([own('a', 'in')], { limit: 1 }) });
  const { dialog } = await open();
  const choose = await within(dialog).findByRole('button', { name: 'Choose photos' });
  expect(choose).toHaveAttribute('aria-disabled', 'true');
  const chooser = vi.fn();
  within(dialog).getByTestId('guest-photos').addEventListener('click', chooser);
  await user.click(choose);
  expect(chooser).not.toHaveBeenCalled();
});

test('where no photos are taken any more, and where they cannot be loaded, that is said', async () => {
  mockServer({ [list]: answer([], { taken: false }) });
  const { dialog } = await open();
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
