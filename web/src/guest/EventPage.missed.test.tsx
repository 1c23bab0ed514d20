import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, json } from '../testing/server';
import {
  eventBody,
  eventRoute,
  goBack,
  match,
  matchList,
  mockFormServer,
  renderEventPage,
  searchHandlers,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const missedRoute = 'POST /api/face/search/aanya-rohan/missed';
const mine = matchList(2);
const other = match(7);
const face = { x: 0.2, y: 0.2, width: 0.1, height: 0.2 };

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));

/** Finds two photos, if any, does something with them, and looks at all three. */
async function browse(
  missed: Parameters<typeof mockFormServer>[0][string],
  found = mine,
  first: () => Promise<void> = () => Promise.resolve(),
) {
  const server = mockFormServer({
    ...searchHandlers({
      matches: found,
      searchToken: 'search',
      downloadTokens: found.length > 0 ? ['token'] : [],
    }),
    [eventRoute]: () => json(eventBody({ browsable: true, takes_questions: false })),
    'GET /api/face/photos/aanya-rohan': () =>
      json({
        photos: [...mine, other].map((photo) => ({ ...photo, face_id: undefined })),
        next_cursor: null,
        total: 3,
        albums: [],
      }),
    [missedRoute]: missed,
    'POST /api/face/not-me': () => new Response(null, { status: 204 }),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  if (found.length > 0) {
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    await first();
    await goBack();
  }
  await user.click(await screen.findByRole('button', { name: 'Browse all photos' }));
  await screen.findByText('3 photos');
  return server;
}

/** What can be done with a photo in the viewer. */
async function openActions(position: number) {
  await user.click(screen.getByRole('button', { name: `Photo ${position} of 3` }));
  const viewer = await screen.findByRole('dialog');
  const more = within(viewer).queryByRole('button', { name: `More for photo ${position}` });
  if (more !== null) await user.click(more);
  return viewer;
}

const say = async (viewer: HTMLElement) => {
  await user.click(within(viewer).getByRole('button', { name: 'I am missing in this one' }));
  return within(await screen.findByRole('dialog', { name: 'Is this you?' }));
};

test('a photo that was missed is added once its face is confirmed [FACE544]', async () => {
  const server = await browse(({ body }) => {
    const { confirmed } = body as { confirmed: boolean };
    return json({
      face,
      match: confirmed ? other : null,
      download_token: confirmed ? 'token-7' : null,
    });
  });
  const dialog = await say(await openActions(3));
  await user.click(await dialog.findByRole('button', { name: 'Yes, add it to my photos' }));
  expect(await screen.findByText('The photo is among yours now.')).toBeVisible();
  expect(server.callsTo(missedRoute).map(({ body }) => body)).toEqual([
    { token: 'search', photo_id: 'photo-7', confirmed: false },
    { token: 'search', photo_id: 'photo-7', confirmed: true },
  ]);
  // It is theirs, so that nothing is missing.
  const viewer = await screen.findByRole('dialog');
  expect(within(viewer).queryByRole('button', { name: 'I am missing in this one' })).toBeNull();
});

test('a search that has found nothing has its first photo then [FACE544]', async () => {
  await browse(() => json({ face, match: other, download_token: 'token-7' }), []);
  const dialog = await say(await openActions(3));
  await user.click(await dialog.findByRole('button', { name: 'Yes, add it to my photos' }));
  expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
  expect(shown()).toEqual(['photo-7']);
  // Another search starts where the first one did, not among all photos.
  await user.click(screen.getByRole('button', { name: 'Take New Photo' }));
  expect(await screen.findByLabelText('upload a photo')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'All photos' })).toBeNull();
});

test('a photo with nobody like the guest says so, and stays as it is [FACE544]', async () => {
  const server = await browse(() => errorResponse(422, 'No face in this photo is like yours'));
  const dialog = await say(await openActions(3));
  expect(await dialog.findByText('No face in this photo is like yours')).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Yes, add it to my photos' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Is this you?' })).toBeNull());
  expect(server.callsTo(missedRoute)).toHaveLength(1);
});

test('is not offered for a photo that the guest has said they are not in [FACE544]', async () => {
  await browse(
    () => json({ face }),
    mine,
    async () => {
      await user.click(screen.getByRole('button', { name: 'Photo 1 of 2' }));
      const viewer = within(await screen.findByRole('dialog'));
      await user.click(viewer.getByRole('button', { name: 'More for photo 1' }));
      await user.click(viewer.getByRole('button', { name: "That's not me" }));
      await viewer.findByText('The photo is no longer shown.');
      await user.click(viewer.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );
  const viewer = await openActions(1);
  expect(within(viewer).queryByRole('button', { name: 'I am missing in this one' })).toBeNull();
});

test('the question about another photo stays when the answer about the one before comes', async () => {
  let answer = (): void => undefined;
  await browse(
    async ({ body }) => {
      const { confirmed, photo_id: id } = body as { confirmed: boolean; photo_id: string };
      if (confirmed) await new Promise<void>((resolve) => (answer = resolve));
      return json({ face, match: confirmed && id === 'photo-2' ? mine[1] : null, download_token: 'token-2' });
    },
    mine.slice(0, 1),
  );
  const viewer = await openActions(2);
  const dialog = await say(viewer);
  await user.click(await dialog.findByRole('button', { name: 'Yes, add it to my photos' }));
  await user.click(dialog.getByRole('button', { name: 'No, that is not me' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Is this you?' })).toBeNull());
  await user.click(within(viewer).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await say(await openActions(3));
  answer();
  expect(await screen.findByText('The photo is among yours now.')).toBeVisible();
  expect(screen.getByRole('dialog', { name: 'Is this you?' })).toBeVisible();
});

test('is not offered for a photo that the search has found [FACE544]', async () => {
  await browse(() => json({ face }));
  const viewer = await openActions(1);
  expect(within(viewer).queryByRole('button', { name: 'I am missing in this one' })).toBeNull();
});
