import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderEventScreen, renderScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import GalleryPage from '../photos/GalleryPage';
import { GuestRequests } from './GuestRequests';
import GuestsPage from './GuestsPage';

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
  waits: false,
  without_capture: false,
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
  renderScreen(<GuestRequests eventId="e1" timeZone="UTC" onDelete={onDelete} />, '/admin/gallery');
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

test.each([
  ['Hide these photos', true],
  ['Keep them visible', false],
])('[FACE513] of a request that waits the photographer decides: %s', async (name, in_force) => {
  let current = request({ waits: true, in_force: false, photos: [photo(1, false), photo(2, false)] });
  const server = mockServer({
    [list]: () => json({ objections: [current] }),
    [decide]: () => {
      current = request({ in_force, photos: [photo(1, in_force), photo(2, in_force)] });
      return json(current);
    },
  });
  renderScreen(<GuestRequests eventId="e1" timeZone="UTC" onDelete={vi.fn()} />, '/admin/gallery');
  const article = await screen.findByRole('article', { name: 'A guest asks to hide 2 photos they are in' });
  expect(within(article).getByText(/This waits for your decision: no photo is hidden yet/)).toBeVisible();
  expect(within(article).queryByRole('button', { name: 'Hide again' })).not.toBeInTheDocument();
  await user.click(within(article).getByRole('button', { name }));
  expect(await screen.findByRole('article', { name: 'A guest hid 2 photos they are in' })).toBeVisible();
  expect(server.callsTo(decide).map(({ body }) => body)).toEqual([{ in_force }]);
});

test.each([
  ['hide', 'A guest asks to hide 2 photos they are in', 'Hide these photos', true],
  ['stop_finding', 'A guest asks not to be found any more', 'Stop finding this person', true],
  ['stop_finding', 'A guest asks not to be found any more', 'Keep finding them', false],
])(
  '[FACE519] of a request without a live capture that is said: %s, %s, %s',
  async (choice, title, name, in_force) => {
    const photos = [photo(1, false), photo(2, false)];
    let current = request({ choice, waits: true, without_capture: true, in_force: false, photos });
    const server = mockServer({
      [list]: () => json({ objections: [current] }),
      [decide]: () => {
        current = request({ choice, without_capture: true, in_force });
        return json(current);
      },
    });
    renderScreen(<GuestRequests eventId="e1" timeZone="UTC" onDelete={vi.fn()} />, '/admin/gallery');
    const article = await screen.findByRole('article', { name: title });
    expect(
      within(article).getByText(/This waits for your decision: nothing has changed yet\.$/),
    ).toBeVisible();
    expect(
      within(article).getByText(/^Made with a photo that was not taken with the camera for it/),
    ).toBeVisible();
    expect(within(article).queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
    await user.click(within(article).getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByText(/This waits for your decision/)).not.toBeInTheDocument());
    expect(server.callsTo(decide).map(({ body }) => body)).toEqual([{ in_force }]);
  },
);

test('[BRAND059] pictures of requests are fetched from where the page is open', async () => {
  const thumbnail_url = 'https://afterglow.example/api/files/events/e1/1.jpg?rendition=thumbnail';
  const photos = [{ ...photo(1), thumbnail_url }];
  mockServer({ [list]: () => json({ objections: [request({ photos })] }) });
  renderScreen(<GuestRequests eventId="e1" timeZone="UTC" onDelete={vi.fn()} />, '/admin/gallery');
  expect(await screen.findByRole('img', { name: 'DSC_1.JPG' })).toHaveAttribute(
    'src',
    '/api/files/events/e1/1.jpg?rendition=thumbnail',
  );
});

test('[FACE199] what cannot be saved is said, and without requests there is nothing', async () => {
  mockServer({
    [list]: () => json({ objections: [request({ choice: 'stop_finding' })] }),
    [decide]: () => errorResponse(500),
  });
  renderScreen(<GuestRequests eventId="e1" timeZone="UTC" onDelete={vi.fn()} />, '/admin/gallery');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('The decision could not be saved. Please try again.')).toBeVisible();
  expect(screen.getByRole('article', { name: 'A guest does not want to be found any more' })).toBeVisible();
});

/** The page with these requests; nobody has put a heart on a photo. */
function renderPage(objections: object[], more: Parameters<typeof mockServer>[0] = {}, event = anEvent()) {
  const server = mockServer({
    ...listing(() => [event]),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/events/e1/statistics': () => json({ days: [], totals: { hearts: 41 } }),
    'GET /api/events/e1/guest-photos': () => json({ photos: [], price: 1 }),
    [list]: () => json({ objections }),
    ...more,
  });
  return { server, ...renderEventScreen(<GuestsPage />, '/admin/guests?event=e1#guest-requests') };
}

test('[NOTE029] [NOTE031] requests that are shown are seen, and have the focus of whoever is led to them', async () => {
  const see = 'PUT /api/objections/o2/seen';
  const { server } = renderPage([request({ id: 'o2', seen: false }), request({ seen: false })], {
    [see]: () => new Response(null, { status: 204 }),
  });
  const heading = await screen.findByRole('heading', { name: 'Requests of guests' });
  await waitFor(() => expect(heading).toHaveFocus());
  await waitFor(() => expect(server.callsTo(see)).toHaveLength(1));
});

test("the day of a request is that of the event's place", async () => {
  const event = anEvent({ time_zone: 'Asia/Kolkata' });
  renderPage([request({ created_at: '2026-11-20T19:30:00Z' })], {}, event);
  expect(await screen.findByText(/\b21 Nov.* 2026 ·/)).toBeVisible();
});

test('a photo of a request is deleted', async () => {
  const { server } = renderPage([request()], {
    'POST /api/photos/trash': () => json({ deleted: 1, photo_ids: ['p1'] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Delete DSC_1.JPG' }));
  await waitFor(() =>
    expect(server.callsTo('POST /api/photos/trash')[0]?.body).toEqual({
      event_id: 'e1',
      photo_ids: ['p1'],
      all: false,
    }),
  );
  expect(await screen.findByText('Photo deleted.')).toBeVisible();
  await waitFor(() => expect(server.callsTo(list).length).toBeGreaterThan(1));
});

test('[STAT021] without requests it says so, beside the hearts that were put on photos and questions', async () => {
  renderPage([], {}, anEvent({ takes_questions: false }));
  expect(await screen.findByText('Nothing to look at')).toBeVisible();
  expect(await screen.findByText('41 hearts were put on photos')).toBeVisible();
  expect(screen.getByText('Guests cannot ask you')).toBeVisible();
});

test('requests that cannot be loaded are said to be, and tried again', async () => {
  let fails = true;
  renderPage([], {
    'GET /api/events/e1/selections': () => json({ selections: [] }),
    [list]: () => (fails ? errorResponse(500) : json({ objections: [request()] })),
  });
  expect(await screen.findByText('The requests of guests could not be loaded.')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Requests of guests' })).toBeVisible();
});

test('the address of requests in mails of before leads there', async () => {
  mockServer(listing(() => [anEvent()]));
  const { router } = renderEventScreen(<GalleryPage />, '/admin/gallery?event=e1&show=requests');
  expect(await screen.findByText('arrived at /admin/guests')).toBeVisible();
  expect(router.state.location.search).toBe('?event=e1');
  expect(router.state.location.hash).toBe('#guest-requests');
});

test.each([
  [{ total: 0, waiting: 0 }, 'No guest waits for new photos', /^They can leave a selfie/],
  [{ total: 2, waiting: 0 }, '2 guests are told of new photos', 'They get one mail a day at most.'],
  [{ total: 1, waiting: 1 }, '1 guest is told of new photos', 'To 1 of them no mail has gone yet.'],
  [{ total: 12, waiting: 7 }, '12 guests are told of new photos', 'To 7 of them no mail has gone yet.'],
])(
  '[STAT021] how many guests are told is said, and to how many no mail has gone: %o',
  async (told, title, hint) => {
    const event = anEvent({ tells_guests: 'on' });
    renderPage([], { 'GET /api/events/e1/subscriptions': () => json(told) }, event);
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText(hint)).toBeVisible();
  },
);

test('nothing is said of guests who are told where nobody is', async () => {
  const { server } = renderPage([], {}, anEvent({ tells_guests: 'off' }));
  expect(await screen.findByText('41 hearts were put on photos')).toBeVisible();
  expect(screen.queryByText(/new photos/)).not.toBeInTheDocument();
  expect(server.callsTo('GET /api/events/e1/subscriptions')).toHaveLength(0);
});

test('that the number could not be loaded is said', async () => {
  const failing = { 'GET /api/events/e1/subscriptions': () => errorResponse(500) };
  renderPage([], failing, anEvent({ tells_guests: 'on' }));
  expect(await screen.findByText('How many guests wait for new photos could not be loaded.')).toBeVisible();
});
