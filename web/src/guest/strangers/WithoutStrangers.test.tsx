import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, json } from '../../testing/server';
import type { SearchResult } from '../search/matches';
import {
  eventBody,
  eventRoute,
  match,
  mockFormServer,
  never,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from '../testing';

const user = userEvent.setup();
const route = 'POST /api/face/without-strangers/aanya-rohan';
const entry = 'Share without strangers';
const staysText = 'A face that was not found stays as it is. Please look at the photo before you share it.';

const jpeg = (softened: number) =>
  new Response(new Blob(['a picture'], { type: 'image/jpeg' }), {
    headers: { 'Content-Type': 'image/jpeg', 'Softened-Faces': String(softened) },
  });

const found = (overrides: Partial<SearchResult> = {}) =>
  searchHandlers({ searchToken: 'mine', ...overrides });

async function openResults() {
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile('me.png'));
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
}

async function openMenu(position = 2, of = 3) {
  await user.click(screen.getByRole('button', { name: `Photo ${position} of ${of}` }));
  const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
  const more = within(viewer).queryByRole('button', { name: `More for photo ${position}` });
  if (more !== null) await user.click(more);
  return within(viewer);
}

async function openSheet() {
  await openResults();
  await user.click((await openMenu()).getByRole('button', { name: entry }));
  return within(await screen.findByRole('dialog', { name: entry }));
}

/** The files that are saved: their names. */
function recordSaved() {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

const revoke = vi.fn<(url: string) => void>();

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  URL.createObjectURL = vi.fn(() => 'blob:picture');
  URL.revokeObjectURL = revoke;
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'share');
  Reflect.deleteProperty(navigator, 'canShare');
});

test('the photo is shown with what stays in it, then saved under a name of its own [FACE549]', async () => {
  let answer = (): void => undefined;
  const server = mockFormServer({
    ...found(),
    [route]: async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return jpeg(2);
    },
  });
  const saved = recordSaved();
  const sheet = await openSheet();
  expect(sheet.getByRole('progressbar', { name: 'Softening the other faces' })).toBeVisible();
  expect(sheet.queryByRole('button', { name: 'Save' })).toBeNull();
  await waitFor(() => expect(server.callsTo(route)).toHaveLength(1));
  answer();
  expect(await sheet.findByRole('img', { name: 'The photo as it is shared' })).toHaveAttribute(
    'src',
    'blob:picture',
  );
  expect(sheet.getByRole('status')).toHaveTextContent(`2 other faces are softened.${staysText}`);
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([
    { key: 'events/2', searches: [{ token: 'mine', not_me: [] }] },
  ]);
  expect(sheet.queryByRole('button', { name: 'Share' })).toBeNull();
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  expect(saved).toEqual(['2-without-strangers.jpg']);
  await user.click(sheet.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: entry })).toBeNull());
  expect(revoke).toHaveBeenCalledWith('blob:picture');
});

test('the system’s sheet gets the drawn picture, and nothing of the photo itself [FACE549]', async () => {
  const share = vi.fn<(data: ShareData) => Promise<void>>(() => Promise.resolve());
  Object.assign(navigator, { share, canShare: () => true });
  const server = mockFormServer({ ...found(), [route]: () => jpeg(1) });
  const sheet = await openSheet();
  await user.click(await sheet.findByRole('button', { name: 'Share' }));
  expect(sheet.getByRole('status')).toHaveTextContent('1 other face is softened.');
  const [file] = share.mock.calls[0]?.[0].files ?? [];
  expect([file?.name, file?.type]).toEqual(['2-without-strangers.jpg', 'image/jpeg']);
  expect(server.calls.some(({ url }) => url.pathname.startsWith('/api/files'))).toBe(false);

  share.mockRejectedValueOnce(new DOMException('closed', 'AbortError'));
  await user.click(sheet.getByRole('button', { name: 'Share' }));
  expect(sheet.queryByRole('alert')).toBeNull();
  share.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  await user.click(sheet.getByRole('button', { name: 'Share' }));
  expect(await sheet.findByRole('alert')).toHaveTextContent(
    'The photo could not be shared. You can save it instead.',
  );
});

test('a photo without another face says so', async () => {
  mockFormServer({ ...found(), [route]: () => jpeg(0) });
  const sheet = await openSheet();
  expect(await sheet.findByText('No other face was found in this photo.')).toBeVisible();
  expect(sheet.getByText(staysText)).toBeVisible();
});

test('what fails is said, and can be tried again [FACE549]', async () => {
  let answer = () => errorResponse(422, 'Your face was not found in this photo', 'face_not_in_photo');
  const server = mockFormServer({ ...found(), [route]: () => answer() });
  const sheet = await openSheet();
  expect(await sheet.findByRole('alert')).toHaveTextContent('Your face was not found in this photo');
  expect(sheet.queryByRole('button', { name: 'Save' })).toBeNull();
  answer = () => jpeg(3);
  await user.click(sheet.getByRole('button', { name: 'Try again' }));
  expect(await sheet.findByText('3 other faces are softened.')).toBeVisible();
  expect(sheet.queryByRole('alert')).toBeNull();
  expect(server.callsTo(route)).toHaveLength(2);
});

test('whoever closes the sheet ends the request', async () => {
  const server = mockFormServer({ ...found(), [route]: never });
  const sheet = await openSheet();
  await waitFor(() => expect(server.callsTo(route)).toHaveLength(1));
  await user.click(sheet.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(server.callsTo(route)[0]?.signal.aborted).toBe(true));
});

test('the faces of both are kept where a friend was added, but those that are neither’s [FACE549]', async () => {
  const answers: Record<string, Partial<SearchResult>> = {
    'me.png': { searchToken: 'mine' },
    'friend.png': { searchToken: 'friends' },
  };
  const server = mockFormServer({
    [eventRoute]: () => json(eventBody()),
    [searchRoute]: ({ form }) => {
      const [image] = form['image'] as File[];
      return json(searchBody(searchResult(answers[image?.name ?? ''])));
    },
    'POST /api/face/not-me': () => new Response(null, { status: 204 }),
    [route]: () => jpeg(1),
  });
  await openResults();
  await user.click((await openMenu(1)).getByRole('button', { name: "That's not me" }));
  await user.click(
    within(screen.getByRole('dialog', { name: 'Your Matched Photos' })).getByRole('button', {
      name: 'Close',
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Add a friend' }));
  await screen.findByRole('heading', { name: 'Add a friend' });
  await user.upload(screen.getByLabelText('upload a photo'), selfieFile('friend.png'));
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  await user.click((await openMenu(1, 2)).getByRole('button', { name: entry }));
  await screen.findByText('1 other face is softened.');
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([
    {
      key: 'events/2',
      searches: [
        { token: 'mine', not_me: ['face-1'] },
        { token: 'friends', not_me: [] },
      ],
    },
  ]);
});

test.each([
  ['results that were opened without their search', { searchToken: null }, {}],
  ['photos that cannot be saved', {}, { downloads: 'none' }],
  ['a photo without a key', { matches: [1, 2, 3].map((number) => match(number, { s3_key: null })) }, {}],
])('is not offered for %s [FACE549]', async (_, result, event) => {
  mockFormServer({ ...found(result), [eventRoute]: () => json(eventBody(event)) });
  await openResults();
  const viewer = await openMenu();
  expect(viewer.getByRole('button', { name: "That's not me" })).toBeVisible();
  expect(viewer.queryByRole('button', { name: entry })).toBeNull();
});
