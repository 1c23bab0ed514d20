import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { GuestPhotos } from './GuestPhotos';

const user = userEvent.setup();
const list = 'GET /api/events/e1/guest-photos';
const letIn = 'POST /api/events/e1/guest-photos/let-in';
const decline = 'POST /api/events/e1/guest-photos/decline';

const photo = (id: string, guest: string, guest_name: string | null = null) => ({
  id,
  guest,
  guest_name,
  original_filename: `${id}.jpg`,
  width: 600,
  height: 400,
  size_bytes: 1000,
  average_color: '#808080',
  sent_at: '2026-11-20T09:00:00Z',
  goes_at: '2026-12-04T09:00:00Z',
});

/** A server on which these wait, which are gone once they are decided about. */
function mockWaiting(photos: ReturnType<typeof photo>[], price = 1, more = {}) {
  let waiting = photos;
  const take = ({ body }: { body: unknown }) => {
    const { ids } = body as { ids: string[] };
    waiting = waiting.filter(({ id }) => !ids.includes(id));
    return json({ photos: ids.length });
  };
  const files = photos.map(({ id }) => [
    `GET /api/events/e1/guest-photos/${id}/file`,
    () => new Response(new Blob(['bytes'])),
  ]);
  return mockServer({
    ...(Object.fromEntries(files) as Parameters<typeof mockServer>[0]),
    [list]: () => json({ photos: waiting, price }),
    [letIn]: take,
    [decline]: take,
    ...more,
  });
}

beforeEach(() => {
  signIn();
  URL.createObjectURL = vi.fn(() => 'blob:picture');
  URL.revokeObjectURL = vi.fn();
});

test('[UPL266] photos are listed by guest, with what they cost', async () => {
  mockWaiting([photo('a', 'g1', 'Meera'), photo('b', 'g2'), photo('c', 'g1', 'Meera')]);
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  const first = await screen.findByRole('article', { name: '2 photos from a guest, Meera' });
  expect(first).toHaveTextContent(
    'Not seen by anybody yet. Let in, they cost 2 rupees and are found by selfie.',
  );
  const second = screen.getByRole('article', { name: '1 photo from a guest' });
  expect(second).toHaveTextContent('Let in, it costs 1 rupee and is found by selfie.');
});

test('[UPL266] with the premium plan they cost nothing', async () => {
  mockWaiting([photo('a', 'g1'), photo('b', 'g1')], 0);
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  expect(await screen.findByText(/Let in, they cost nothing and are found by selfie\./)).toBeVisible();
});

test('[UPL267] the dialog is used by keys alone, and says what was done', async () => {
  const server = mockWaiting([photo('a', 'g1'), photo('b', 'g1'), photo('c', 'g1')]);
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  await user.click(await screen.findByRole('button', { name: 'Look at them' }));
  const dialog = await screen.findByRole('dialog', { name: '3 photos from a guest' });
  expect(await within(dialog).findByRole('img', { name: 'a.jpg' })).toBeVisible();
  await user.keyboard('{ArrowRight}');
  expect(await within(dialog).findByRole('img', { name: 'b.jpg' })).toBeVisible();
  expect(within(dialog).getByRole('status')).toHaveTextContent('Photo 2 of 3');
  await user.keyboard('l');
  await waitFor(() => expect(server.callsTo(letIn).map(({ body }) => body)).toEqual([{ ids: ['b'] }]));
  await waitFor(() => expect(within(dialog).getByRole('status')).toHaveTextContent('1 photo is let in.'));
  expect(await within(dialog).findByRole('img', { name: 'c.jpg' })).toBeVisible();
  await user.keyboard('{ArrowLeft}d');
  await waitFor(() => expect(server.callsTo(decline).map(({ body }) => body)).toEqual([{ ids: ['a'] }]));
  await user.keyboard('l');
  // With the last one the dialog goes.
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(await screen.findByText('1 photo is let in.')).toBeVisible();
});

test('[UPL267] a key that is held down decides about one photo alone', async () => {
  const server = mockWaiting([photo('a', 'g1'), photo('b', 'g1'), photo('c', 'g1')]);
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  await user.click(await screen.findByRole('button', { name: 'Look at them' }));
  const dialog = await screen.findByRole('dialog');
  const letInButton = within(dialog).getByRole('button', { name: 'Let in' });
  fireEvent.keyDown(letInButton, { key: 'l' });
  await waitFor(() => expect(within(dialog).getByRole('status')).toHaveTextContent('1 photo is let in.'));
  fireEvent.keyDown(letInButton, { key: 'l', repeat: true });
  fireEvent.keyDown(letInButton, { key: 'd', repeat: true });
  // Enter on the button would press it again; this says that it does not.
  expect(fireEvent.keyDown(letInButton, { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(letInButton, { key: 'Enter' })).toBe(true);
  expect(within(dialog).getByRole('status')).toHaveTextContent('1 photo is let in.');
  expect([...server.callsTo(letIn), ...server.callsTo(decline)]).toHaveLength(1);
});

test('[UPL267] the photo in sight stays when the team has decided about one before it', async () => {
  const all = ['a', 'b', 'c', 'd'].map((id) => photo(id, 'g1'));
  let reload: (photos: object[]) => void = () => undefined;
  let first = true;
  mockWaiting(all, 1, {
    [list]: async () => {
      const photos = first ? all : await new Promise<object[]>((resolve) => (reload = resolve));
      first = false;
      return json({ photos, price: 1 });
    },
  });
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  await user.click(await screen.findByRole('button', { name: 'Look at them' }));
  const dialog = await screen.findByRole('dialog');
  await user.keyboard('{ArrowRight}l');
  expect(await within(dialog).findByText('2 of 3')).toBeVisible();
  expect(await within(dialog).findByRole('img', { name: 'c.jpg' })).toBeVisible();
  reload(all.filter(({ id }) => id > 'b'));
  expect(await within(dialog).findByText('1 of 2')).toBeVisible();
  expect(await within(dialog).findByRole('img', { name: 'c.jpg' })).toBeVisible();
  // The next one takes its place.
  await user.keyboard('l');
  expect(await within(dialog).findByRole('img', { name: 'd.jpg' })).toBeVisible();
});

test('why they were not declined is not said when that is asked again', async () => {
  mockWaiting([photo('a', 'g1')], 1, { [decline]: () => errorResponse(500, 'Not now.') });
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'Decline' }));
    return within(await screen.findByRole('dialog', { name: 'Decline 1 photo?' }));
  };
  let asked = await ask();
  await user.click(asked.getByRole('button', { name: 'Decline' }));
  expect(await asked.findByRole('alert')).toBeVisible();
  await user.click(asked.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  asked = await ask();
  expect(asked.queryByRole('alert')).toBeNull();
});

test('all of a guest are let in with one call, or declined after a question', async () => {
  const server = mockWaiting([photo('a', 'g1'), photo('b', 'g1'), photo('c', 'g2')]);
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  const [look] = await screen.findAllByRole('button', { name: 'Look at them' });
  await user.click(look as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Let in all of this guest' }));
  await waitFor(() => expect(server.callsTo(letIn).map(({ body }) => body)).toEqual([{ ids: ['a', 'b'] }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  const asked = await screen.findByRole('dialog', { name: 'Decline 1 photo?' });
  expect(server.callsTo(decline)).toEqual([]);
  await user.click(within(asked).getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('1 photo is declined.')).toBeVisible();
});

test('[PAY214] without enough credit that is said, and they go on waiting', async () => {
  const text = 'Insufficient credits. Please add credits to continue uploading.';
  mockWaiting([photo('a', 'g1')], 1, { [letIn]: () => errorResponse(402, text, 'insufficient_credits') });
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  await user.click(await screen.findByRole('button', { name: 'Look at it' }));
  await user.click(await screen.findByRole('button', { name: 'Let in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(screen.getByRole('dialog', { name: '1 photo from a guest' })).toBeVisible();
});

test('[GAL513] what is declined too late is not said to be declined', async () => {
  // The team has let them in since the list was loaded.
  mockWaiting([photo('a', 'g1'), photo('b', 'g1')], 1, { [decline]: () => json({ photos: 0 }) });
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  const asked = await screen.findByRole('dialog', { name: 'Decline 2 photos?' });
  await user.click(within(asked).getByRole('button', { name: 'Decline' }));
  const missed = '2 photos did not wait any more, and may be among the photos of the event.';
  expect(await screen.findByText(missed)).toBeVisible();
  expect(screen.queryByText(/declined/)).toBeNull();
});

test('[GAL513] the number that is said is the one of the server, also in the dialog', async () => {
  mockWaiting([photo('a', 'g1'), photo('b', 'g1'), photo('c', 'g1')], 1, {
    [letIn]: () => json({ photos: 2 }),
    [decline]: () => json({ photos: 0 }),
  });
  renderScreen(<GuestPhotos eventId="e1" />, '/admin/guests');
  await user.click(await screen.findByRole('button', { name: 'Look at them' }));
  const dialog = await screen.findByRole('dialog', { name: '3 photos from a guest' });
  const missed = '1 photo did not wait any more, and may be among the photos of the event.';
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  expect(await within(dialog).findByText(missed)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Let in all of this guest' }));
  expect(await screen.findByText(`2 photos are let in. ${missed}`)).toBeVisible();
});
