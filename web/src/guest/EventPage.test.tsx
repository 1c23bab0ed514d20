import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, json } from '../testing/server';
import { firstFrameTimeout } from './capture/CameraView';
import {
  eventBody,
  eventRoute,
  match,
  matchList,
  mockFormServer,
  oneFace,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const scrollIntoView = vi.fn<() => void>();
const getUserMedia = vi.fn<(constraints?: unknown) => Promise<unknown>>();
const picker = (name: string | RegExp) => screen.findByLabelText<HTMLInputElement>(name);

async function searchWithUpload() {
  await user.upload(await picker('upload a photo'), selfieFile());
}

beforeEach(() => {
  scrollIntoView.mockClear();
  getUserMedia.mockClear();
  // jsdom has no scrolling and no camera.
  Element.prototype.scrollIntoView = scrollIntoView;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  mockCamera(() => Promise.resolve({ getTracks: () => [{ stop: vi.fn() }] }));
});

function mockCamera(implementation: () => Promise<unknown>) {
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: getUserMedia.mockImplementation(implementation),
      enumerateDevices: () => Promise.resolve([]),
    },
  });
}

describe('the capture view', () => {
  test('[FACE067] shows the privacy notice with a link to /privacy before the camera opens', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    expect(await screen.findByText(/held in memory only and dropped with the answer/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
    expect(getUserMedia).not.toHaveBeenCalled();
  });

  test('[FACE006] [FACE007] has the link upload a photo, for images only', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    const input = await picker('upload a photo');
    expect(input).toHaveAttribute('type', 'file');
    expect(input).toHaveAttribute('accept', 'image/*');
    expect(input).not.toHaveAttribute('capture');
  });

  test('[FACE005] [FACE069] [FACE070] [FACE071] opens the front camera with a mirrored inline preview and Take Photo', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    await user.click(await screen.findByRole('button', { name: 'Open camera' }));
    const preview = await screen.findByLabelText('Camera preview');
    const front: unknown = expect.objectContaining({ facingMode: 'user' });
    await waitFor(() => expect(getUserMedia).toHaveBeenCalled());
    expect(getUserMedia).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ video: front }));
    const shutter = screen.getByRole('button', { name: 'Take Photo' });
    expect(shutter).toBeDisabled();
    fireEvent.loadedData(preview);
    expect(shutter).toBeEnabled();
    expect(preview).toHaveAttribute('playsinline');
    expect(preview).toHaveAttribute('data-mirrored', 'true');
    expect(getComputedStyle(preview).transform).toBe('scaleX(-1)');
  });

  test('[FACE031] a failed capture shows an error', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    await user.click(await screen.findByRole('button', { name: 'Open camera' }));
    fireEvent.loadedData(await screen.findByLabelText('Camera preview'));
    await user.click(screen.getByRole('button', { name: 'Take Photo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Failed to capture image from webcam. Make sure webcam is enabled.',
    );
  });

  test('a camera without frames shows an error until the first frame', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    const button = await screen.findByRole('button', { name: 'Open camera' });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(button);
    const preview = await screen.findByLabelText('Camera preview');
    await act(() => vi.advanceTimersByTimeAsync(50));
    await act(() => vi.advanceTimersByTimeAsync(firstFrameTimeout));
    expect(await screen.findByRole('alert')).toHaveTextContent('The camera gives no picture.');
    expect(screen.getByRole('button', { name: 'Take Photo' })).toBeDisabled();
    fireEvent.loadedData(preview);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('[FACE073] [FACE074] a denied camera is replaced by the phone’s own, with instructions', async () => {
    mockCamera(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
    mockFormServer(searchHandlers());
    renderEventPage();
    await user.click(await screen.findByRole('button', { name: 'Open camera' }));
    const input = await picker('Choose a photo');
    expect(input).toHaveAttribute('capture', 'user');
    expect(input).toHaveAttribute('accept', 'image/*');
    expect(screen.getByText(/Allow it in the browser’s settings/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Take Photo' })).not.toBeInTheDocument();
  });

  test('[FACE073] a browser without camera support offers the phone’s own immediately', async () => {
    Reflect.deleteProperty(navigator, 'mediaDevices');
    mockFormServer(searchHandlers());
    renderEventPage();
    expect(await picker('Choose a photo')).toHaveAttribute('capture', 'user');
    expect(screen.queryByRole('button', { name: 'Open camera' })).not.toBeInTheDocument();
  });
});

describe('a search', () => {
  test('[FACE024] [FACE008] shows the selfie and a status text while it runs', async () => {
    mockFormServer({ ...searchHandlers(), [searchRoute]: () => new Promise<Response>(() => undefined) });
    renderEventPage();
    await searchWithUpload();
    expect(await screen.findByRole('status')).toHaveTextContent('Searching for your photos...');
    expect(await screen.findByRole('img', { name: 'Your selfie' })).toHaveAttribute(
      'src',
      expect.stringMatching(/^data:image\/png/),
    );
  });

  test('is retried automatically when it is rate-limited', async () => {
    const rateLimited = () =>
      new Response(JSON.stringify({ error: 'Too many requests. Please try again in 1 second.' }), {
        status: 429,
        headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
      });
    const answers = [rateLimited, () => json(searchBody(searchResult()))];
    const server = mockFormServer({
      ...searchHandlers(),
      [searchRoute]: () => (answers.shift() ?? rateLimited)(),
    });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    renderEventPage();
    await searchWithUpload();
    expect(
      await screen.findByText(/Many people here are searching right now\. Your turn is in 1 s\./),
    ).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Searching for your photos...');
    expect(await screen.findByText('3 matches found.')).toBeVisible();
    expect(server.callsTo(searchRoute)).toHaveLength(2);
  });

  test('[FACE009] [FACE010] [FACE011] [FACE014] [FACE016] [FACE017] [FACE020] [FACE025] shows results', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    await searchWithUpload();
    // First, as it goes after a few seconds.
    const message = await screen.findByText('3 matches found.');
    expect(message).toBeVisible();
    expect(message.closest('[style]')).toHaveStyle({ backgroundColor: '#14603E' });
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(screen.getByRole('img', { name: 'Your selfie' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Search Again' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Take New Photo' })).toBeVisible();
    expect(await picker('upload a different photo')).toHaveAttribute('accept', 'image/*');
    expect(screen.getAllByRole('button', { name: /^Download photo/ })).toHaveLength(3);
    expect(screen.getByRole('button', { name: 'Download All Photos (3)' })).toBeVisible();
  });

  test('[FACE015] [RUN074] shows two columns of lazy images with reserved sizes', async () => {
    mockFormServer(searchHandlers({ matches: matchList(8) }));
    renderEventPage();
    await searchWithUpload();
    const list = await screen.findByRole('list', { name: 'Your Matched Photos' });
    const starts = within(list)
      .getAllByRole('listitem')
      .map((item) => item.style.getPropertyValue('inset-inline-start'));
    expect(new Set(starts).size).toBe(2);
    expect(getComputedStyle(list).position).toBe('relative');
    const photo = within(list).getByRole('img', { name: 'Photo 8 of 8' });
    expect(photo).toHaveAttribute('width', '600');
    expect(photo).toHaveAttribute('height', '400');
    expect(photo).toHaveAttribute('loading', 'lazy');
    // Those in sight come first.
    for (const first of [1, 2, 3])
      fireEvent.load(within(list).getByRole('img', { name: `Photo ${first} of 8` }));
    expect(photo).toHaveAttribute('src', '/api/files/8?size=thumbnail');
  });

  test('[FACE021] [CONST032] scrolls the results into view after 500 ms', async () => {
    let answered = 0;
    let scrolled = 0;
    scrollIntoView.mockImplementationOnce(() => void (scrolled = performance.now()));
    const handlers = searchHandlers();
    mockFormServer({
      ...handlers,
      [searchRoute]: () => {
        answered = performance.now();
        return handlers[searchRoute]();
      },
    });
    renderEventPage();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await searchWithUpload();
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    // The results' effects run after the heading is there.
    await waitFor(() => expect(timers.mock.calls.some(([, wait]) => wait === 500)).toBe(true));
    await waitFor(() => expect(scrollIntoView).toHaveBeenCalledOnce());
    expect(scrolled - answered).toBeGreaterThan(499);
  });

  test('[FACE012] [FACE064] searches again with the same selfie and the chosen strictness', async () => {
    const server = mockFormServer(searchHandlers());
    renderEventPage();
    await searchWithUpload();
    await user.click(await screen.findByRole('button', { name: 'Search Again' }));
    await waitFor(() => expect(server.callsTo(searchRoute)).toHaveLength(2));
    const [first, second] = server.callsTo(searchRoute);
    expect(second?.form['image']).toEqual(first?.form['image']);
    const steps = await screen.findByRole('group', { name: 'Show more / fewer photos' });
    await user.click(within(steps).getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(server.callsTo(searchRoute)[2]?.form['strictness']).toEqual(['loose']));
    expect(server.callsTo(searchRoute)[2]?.form['image']).toEqual(first?.form['image']);
  });

  test('[FACE013] Take New Photo returns to the capture view and clears images, results and messages', async () => {
    const server = mockFormServer(searchHandlers());
    renderEventPage();
    await searchWithUpload();
    await user.click(await screen.findByRole('button', { name: 'More for these photos' }));
    await user.click(screen.getByRole('button', { name: 'Add a selfie' }));
    await user.upload(await picker('upload a photo'), selfieFile('other.png'));
    await waitFor(() => expect(server.callsTo(searchRoute)[1]?.form['image']).toHaveLength(2));
    expect(await screen.findByText('3 matches found.')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Take New Photo' }));
    expect(await screen.findByRole('button', { name: 'Open camera' })).toBeVisible();
    expect(screen.queryByRole('img', { name: 'Your selfie' })).not.toBeInTheDocument();
    expect(screen.queryByText('Your Matched Photos')).not.toBeInTheDocument();
    expect(screen.queryByText('3 matches found.')).not.toBeInTheDocument();
    expect(sessionStorage).toHaveLength(0);
    await searchWithUpload();
    await waitFor(() => expect(server.callsTo(searchRoute)[2]?.form['image']).toHaveLength(1));
  });

  test('[FACE013] Take New Photo clears the error of a failed search', async () => {
    mockFormServer({
      ...searchHandlers(),
      [searchRoute]: () => errorResponse(422, 'The photo is too dark.'),
    });
    renderEventPage();
    await searchWithUpload();
    expect(await screen.findByText('The photo is too dark.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Take New Photo' }));
    expect(await screen.findByRole('button', { name: 'Open camera' })).toBeVisible();
    expect(screen.queryByText('The photo is too dark.')).not.toBeInTheDocument();
  });

  test('[FACE026] [FACE027] without matches shows an error once, and saves nothing', async () => {
    mockFormServer(searchHandlers({ matches: [] }));
    renderEventPage();
    await searchWithUpload();
    const text = 'No matching photos found. Try a different photo!';
    // The view says it, and no message beside it the same.
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getAllByText(text)).toHaveLength(1);
    expect(sessionStorage.getItem('faceSearch:aanya-rohan')).toBeNull();
    expect(screen.getByText(/still being added/)).toBeVisible();
  });

  test('[FACE028] shows the message of the server for a bad selfie, with the actions', async () => {
    const text = 'The face is too small. Please come closer to the camera and try again.';
    mockFormServer({
      ...searchHandlers(),
      [searchRoute]: () => json({ error: text, code: 'face_too_small' }, 422),
    });
    renderEventPage();
    await searchWithUpload();
    // The message above the page comes before the view.
    expect(await screen.findByRole('button', { name: 'Take New Photo' })).toBeVisible();
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'Search Again' })).toBeVisible();
  });

  test('[FACE029] is repeated when the network is back', async () => {
    let online = false;
    const server = mockFormServer({
      ...searchHandlers(),
      [searchRoute]: () => {
        if (!online) throw new TypeError('lost');
        return json(searchBody(searchResult()));
      },
    });
    renderEventPage();
    await picker('upload a photo');
    const listening = vi.spyOn(window, 'addEventListener');
    await searchWithUpload();
    expect((await screen.findAllByText(/^Failed to search for photos: /)).length).toBeGreaterThan(0);
    expect(await screen.findByRole('img', { name: 'Your selfie' })).toBeVisible();
    // The page listens to the network after the text is there.
    await waitFor(() => expect(listening).toHaveBeenCalledWith('online', expect.any(Function)));
    online = true;
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(server.callsTo(searchRoute)).toHaveLength(2);
  });

  test('[FACE052] asks for the face if there are several, with the first preselected', async () => {
    const server = mockFormServer(searchHandlers({ faces: [oneFace, oneFace, oneFace] }));
    renderEventPage();
    await searchWithUpload();
    expect(await screen.findByRole('heading', { name: 'Which one is you?' })).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Face 1' })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: 'Face 3' }));
    await user.click(screen.getByRole('button', { name: 'Find me' }));
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(server.callsTo(searchRoute)[1]?.form['face']).toEqual(['2']);
  });

  test('the first face needs no second search', async () => {
    const server = mockFormServer(searchHandlers({ faces: [oneFace, oneFace] }));
    renderEventPage();
    await searchWithUpload();
    await user.click(await screen.findByRole('button', { name: 'Find me' }));
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(server.callsTo(searchRoute)).toHaveLength(1);
  });

  test('[FACE053] a second selfie is searched together with the first', async () => {
    const server = mockFormServer(searchHandlers());
    renderEventPage();
    await searchWithUpload();
    await user.click(await screen.findByRole('button', { name: 'More for these photos' }));
    await user.click(screen.getByRole('button', { name: 'Add a selfie' }));
    await user.upload(await picker('upload a photo'), selfieFile('other.png'));
    await waitFor(() => expect(server.callsTo(searchRoute)[1]?.form['image']).toHaveLength(2));
  });

  test('[STORE007] results and preview are restored after a reload', async () => {
    const server = mockFormServer(searchHandlers());
    const page = renderEventPage();
    await searchWithUpload();
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    page.unmount();
    renderEventPage();
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(screen.getByRole('img', { name: 'Your selfie' })).toBeVisible();
    expect(server.callsTo(searchRoute)).toHaveLength(1);
  });

  test('expired links show a warning that offers a new search', async () => {
    mockFormServer(searchHandlers());
    const page = renderEventPage();
    await searchWithUpload();
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    page.unmount();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7 * 3_600_000);
    renderEventPage();
    expect(await screen.findByText(/have run out/)).toBeVisible();
  });

  test('photos that are indexed later are added automatically', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
    let indexed = 412;
    mockFormServer({
      [eventRoute]: () =>
        json(eventBody({ indexing: { indexed, waiting: 900 - indexed, failed: 0, total: 900 } })),
      [searchRoute]: () =>
        json(
          searchBody(
            searchResult({
              matches: indexed === 412 ? matchList(2) : [match(7), ...matchList(2)],
              indexing: { indexed, waiting: 900 - indexed, total: 900 },
            }),
          ),
        ),
    });
    renderEventPage();
    await user.upload(await picker('upload a photo'), selfieFile());
    await screen.findByRole('button', { name: 'Download All Photos (2)' });
    indexed = 500;
    await vi.advanceTimersByTimeAsync(32_000);
    expect(await screen.findByRole('button', { name: 'Download All Photos (3)' })).toBeVisible();
    expect(await screen.findByText('1 new photo of you.')).toBeVisible();
  });
});
