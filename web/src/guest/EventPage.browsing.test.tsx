import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, json } from '../testing/server';
import { saveFile } from '../ui/saveFile';
import type { Match } from './search/matches';
import {
  eventBody,
  eventRoute,
  goBack,
  match,
  matchList,
  mockFormServer,
  renderEventPage,
  searchHandlers,
} from './testing';

vi.mock('../ui/saveFile');

const user = userEvent.setup();
const route = 'GET /api/face/photos/aanya-rohan';
const heartRoute = 'POST /api/face/hearts/aanya-rohan';
const failedText = 'The photos could not be loaded. Please check your connection.';

/** A photo as this call answers it: without a face. */
const shownPhoto = (photo: Match) => ({ ...photo, face_id: undefined });

const page = (photos: readonly Match[], rest: object = {}) =>
  json({ photos: photos.map(shownPhoto), next_cursor: null, ...rest });
const firstPage = (photos: readonly Match[], rest: object = {}) =>
  page(photos, { total: photos.length, albums: [], ...rest });

const browsable = (overrides: object = {}) => ({
  ...searchHandlers(),
  [eventRoute]: () => json(eventBody({ browsable: true, takes_questions: false, ...overrides })),
});

const entry = () => screen.findByRole('button', { name: 'Browse all photos' });
const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));
const heading = () => screen.findByRole('heading', { name: 'All photos' });

/** The places whose coming into sight is watched. */
let watched: ((entries: { isIntersecting: boolean }[]) => void)[] = [];
const scrollToEnd = async () => {
  // The photos are there before their end is watched.
  await waitFor(() => expect(watched).not.toEqual([]));
  act(() => watched.at(-1)?.([{ isIntersecting: true }]));
};

async function open() {
  const view = renderEventPage();
  await user.click(await entry());
  await heading();
  return view;
}

beforeEach(() => {
  vi.mocked(saveFile).mockClear();
  watched = [];
  Element.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #onChange: (entries: { isIntersecting: boolean }[]) => void;
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        this.#onChange = onChange;
      }
      observe = () => watched.push(this.#onChange);
      disconnect = () => (watched = watched.filter((each) => each !== this.#onChange));
    },
  );
});

describe('the way to all photos', () => {
  test('is offered where the photographer allows it, and the search stays the first', async () => {
    mockFormServer({ ...browsable(), [route]: () => firstPage(matchList(3)) });
    renderEventPage();
    const button = await entry();
    const camera = await screen.findByLabelText('upload a photo');
    expect(camera.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  test('is not there otherwise, nor where there are no photos yet', async () => {
    const none = { indexed: 0, waiting: 0, total: 0 };
    for (const overrides of [{ browsable: false }, { browsable: true, indexing: none }]) {
      mockFormServer({ ...browsable(), [eventRoute]: () => json(eventBody(overrides)) });
      const { unmount } = renderEventPage();
      expect(await screen.findByRole('button', { name: 'Remove me from the photos' })).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Browse all photos' })).not.toBeInTheDocument();
      unmount();
    }
  });

  test('shows them with their number, Back leads to the search, and Forward to them again', async () => {
    mockFormServer({ ...browsable(), [route]: () => firstPage(matchList(3)) });
    await open();
    expect(await screen.findByText('3 photos')).toBeVisible();
    expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3']);
    expect(await heading()).toHaveFocus();
    expect(screen.queryByRole('heading', { name: 'Find Your Photos' })).not.toBeInTheDocument();
    await goBack();
    expect(await screen.findByRole('heading', { name: 'Find Your Photos' })).toHaveFocus();
    await act(async () => {
      const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
      window.history.forward();
      await arrived;
    });
    await heading();
    await user.click(screen.getByRole('button', { name: 'Find my photos' }));
    expect(await entry()).toBeVisible();
  });
});

describe('all photos', () => {
  test('come page by page as the guest scrolls, each once', async () => {
    const server = mockFormServer({
      ...browsable(),
      [route]: ({ url }) =>
        url.searchParams.get('cursor') === null
          ? firstPage(matchList(2), { total: 4, next_cursor: 'two' })
          : page([match(2), match(3), match(4)]),
    });
    await open();
    expect(await screen.findByText('4 photos')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Photo 2 of 4' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove me from the photos' })).not.toBeInTheDocument();
    await scrollToEnd();
    await waitFor(() => expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3', 'photo-4']));
    expect(server.callsTo(route).map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, 'two']);
    expect(watched).toEqual([]);
    expect(await screen.findByRole('button', { name: 'Remove me from the photos' })).toBeVisible();
  });

  test('that did not come are asked for again, and the others stay', async () => {
    const answers = [
      () => firstPage(matchList(2), { total: 3, next_cursor: 'two' }),
      () => errorResponse(503, 'The service is busy. Please try again in a moment.'),
      () => page([match(3)]),
    ];
    mockFormServer({ ...browsable(), [route]: () => (answers.shift() as () => Response)() });
    await open();
    await screen.findByText('3 photos');
    await scrollToEnd();
    expect(await screen.findByText('The service is busy. Please try again in a moment.')).toBeVisible();
    expect(shown()).toHaveLength(2);
    expect(watched).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(shown()).toHaveLength(3));
  });

  test('are said to be out of reach without a network, and asked for again', async () => {
    let online = false;
    mockFormServer({
      ...browsable(),
      [route]: () => {
        if (!online) throw new TypeError('offline');
        return firstPage(matchList(2));
      },
    });
    await open();
    expect(await screen.findByText(failedText)).toBeVisible();
    online = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('2 photos')).toBeVisible();
    expect(screen.queryByText(failedText)).not.toBeInTheDocument();
  });

  test('say why where the photographer has changed their mind, and where there are none', async () => {
    let answer = () =>
      errorResponse(403, 'The photographer of this event shows guests the photos they are in.');
    mockFormServer({ ...browsable(), [route]: () => answer() });
    const { unmount } = await open();
    expect(
      await screen.findByText('The photographer of this event shows guests the photos they are in.'),
    ).toBeVisible();
    unmount();
    answer = () => firstPage([]);
    await open();
    expect(await screen.findByText('The photos are not here yet. Come back a little later.')).toBeVisible();
  });

  test('are shown album by album', async () => {
    const albums = [{ id: 'c', name: 'Ceremony' }];
    const server = mockFormServer({
      ...browsable(),
      [route]: ({ url }) =>
        url.searchParams.get('album_id') === 'c'
          ? firstPage([match(2, { albums: ['c'] })], { albums })
          : firstPage(matchList(3), { albums }),
    });
    await open();
    await user.click(await screen.findByRole('button', { name: 'Ceremony' }));
    expect(await screen.findByText('1 photo')).toBeVisible();
    expect(shown()).toEqual(['photo-2']);
    await user.click(screen.getByRole('button', { name: 'All' }));
    expect(await screen.findByText('3 photos')).toBeVisible();
    expect(server.callsTo(route)).toHaveLength(3);
  });

  test('get hearts, and are opened in the viewer, which has more of them loaded', async () => {
    const server = mockFormServer({
      ...browsable({ takes_questions: true }),
      [heartRoute]: () => new Response(null, { status: 204 }),
      [route]: ({ url }) =>
        url.searchParams.get('cursor') === null
          ? firstPage(matchList(2), { total: 3, next_cursor: 'two' })
          : page([match(3)]),
    });
    await open();
    await user.click(await screen.findByRole('button', { name: 'Photo 2 of 3' }));
    const viewer = await screen.findByRole('dialog', { name: 'All photos' });
    await user.click(within(viewer).getByRole('button', { name: 'Add photo 2 to your favourites' }));
    await waitFor(() => expect(server.callsTo(heartRoute)).toHaveLength(1));
    expect(server.callsTo(heartRoute)[0]?.body).toEqual({ key: 'events/2', on: true });
    expect(within(viewer).getByText('2 of 3')).toBeInTheDocument();
    await waitFor(() => expect(server.callsTo(route)).toHaveLength(2));
    await user.click(within(viewer).getByRole('button', { name: 'More for photo 2' }));
    expect(within(viewer).getByRole('button', { name: 'Ask the photographer' })).toBeVisible();
    expect(within(viewer).queryByRole('button', { name: "That's not me" })).not.toBeInTheDocument();
  });

  test('are saved one by one, or some of them', async () => {
    mockFormServer({ ...browsable(), [route]: () => firstPage(matchList(3)) });
    await open();
    expect(await screen.findByRole('button', { name: 'Download photo 1' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Choose photos' }));
    await user.click(screen.getByRole('button', { name: 'Photo 1 of 3' }));
    await user.click(screen.getByRole('button', { name: 'Photo 3 of 3' }));
    expect(screen.getByRole('button', { name: 'Download Photos (2)' })).toBeEnabled();
    expect(screen.queryByRole('button', { name: /ZIP/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('button', { name: /Download Photos/ })).not.toBeInTheDocument();
  });

  test('are not saved where the photographer offers no downloads', async () => {
    mockFormServer({ ...browsable({ downloads: 'none' }), [route]: () => firstPage(matchList(3)) });
    await open();
    expect(await screen.findByText('The photographer shows these photos without downloads.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Download/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Choose photos' })).not.toBeInTheDocument();
  });
});

describe('all photos as one ZIP', () => {
  const makeRoute = 'POST /api/face/photos/aanya-rohan/download';
  const zipRoute = 'HEAD /api/face/download/a-b_c.zip';
  const made = (photos: number) => json({ download_token: 'a-b_c', photos }, 201);
  const head = (bytes: number) => new Response(null, { headers: { 'Content-Length': String(bytes) } });
  const downloadAll = () => screen.findByRole('button', { name: 'Download all' });
  const sheet = () => screen.findByRole('dialog', { name: 'Download all' });

  test('say how much it is before they are saved with one tap [FACE529]', async () => {
    const server = mockFormServer({
      ...browsable(),
      [route]: () => firstPage(matchList(2), { total: 307, next_cursor: 'two' }),
      [makeRoute]: () => made(307),
      [zipRoute]: () => head(1_288_490_189),
    });
    await open();
    await user.click(await downloadAll());
    const dialog = await sheet();
    expect(await within(dialog).findByText('307 photos, 1.2 GB')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Download all as one ZIP' }));
    expect(saveFile).toHaveBeenCalledExactlyOnceWith('/api/face/download/a-b_c.zip', '');
    expect(await screen.findByText('One ZIP with all 307 photos is downloading, 1.2 GB.')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(server.callsTo(makeRoute).map(({ body }) => body)).toEqual([{ album_id: null, only_best: false }]);
  });

  test('are those of the album that is shown', async () => {
    const albums = [{ id: 'c', name: 'Ceremony' }];
    const server = mockFormServer({
      ...browsable(),
      [route]: () => firstPage(matchList(1), { albums }),
      [makeRoute]: () => made(1),
      [zipRoute]: () => head(1_572_864),
    });
    await open();
    await user.click(await screen.findByRole('button', { name: 'Ceremony' }));
    await user.click(await downloadAll());
    expect(await within(await sheet()).findByText('1 photo, 1.5 MB')).toBeVisible();
    expect(server.callsTo(makeRoute).map(({ body }) => body)).toEqual([{ album_id: 'c', only_best: false }]);
  });

  test('wait while the server draws what is in it, and say so', async () => {
    const answers = [() => new Response(null, { status: 503 }), () => head(5_767_168)];
    const server = mockFormServer({
      ...browsable(),
      [route]: () => firstPage(matchList(2)),
      [makeRoute]: () => made(2),
      [zipRoute]: () => (answers.shift() as () => Response)(),
    });
    await open();
    await user.click(await downloadAll());
    const dialog = await sheet();
    expect(within(dialog).getByRole('progressbar', { name: 'Getting your ZIP ready...' })).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Download all as one ZIP' })).toBeDisabled();
    expect(await within(dialog).findByText('2 photos, 5.5 MB')).toBeVisible();
    expect(server.callsTo(zipRoute)).toHaveLength(2);
  });

  test('say why there is none, and are asked for again', async () => {
    const text = 'The photographer of this event does not offer downloads.';
    const answers = [() => errorResponse(403, text, 'downloads_not_offered'), () => made(2)];
    mockFormServer({
      ...browsable(),
      [route]: () => firstPage(matchList(2)),
      [makeRoute]: () => (answers.shift() as () => Response)(),
      [zipRoute]: () => head(5_767_168),
    });
    await open();
    await user.click(await downloadAll());
    const dialog = await sheet();
    expect(await within(dialog).findByText(/does not offer downloads/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
    expect(await within(dialog).findByText('2 photos, 5.5 MB')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(saveFile).not.toHaveBeenCalled();
  });

  test('are not offered without downloads, nor in the browser of an app', async () => {
    mockFormServer({ ...browsable({ downloads: 'none' }), [route]: () => firstPage(matchList(3)) });
    await open();
    expect(await screen.findByText('3 photos')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download all' })).not.toBeInTheDocument();
  });
});
