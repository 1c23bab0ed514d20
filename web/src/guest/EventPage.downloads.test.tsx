import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Icon } from '../ui/Icon';
import { errorResponse, json } from '../testing/server';
import { shareTimeout } from './downloads/useDownloads';
import {
  goBack,
  match,
  matchList,
  mockFormServer,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const downloadUrlRoute = 'GET /api/photos/download-by-s3';
/** Names of the files that the page saved from blobs. */
const saved: string[] = [];
/** Paths that the page handed to the browser's download manager. */
const opened: string[] = [];

const files = {
  [downloadUrlRoute]: ({ url }: { url: URL }) =>
    json({ download_url: `https://photos.example/api/files/${url.searchParams.get('key') ?? ''}` }),
  'GET /api/files/events/1': () => new Response('one'),
  'GET /api/files/events/2': () => new Response('two'),
};

beforeEach(() => {
  saved.length = 0;
  opened.length = 0;
  Element.prototype.scrollIntoView = vi.fn();
  URL.createObjectURL = vi.fn(() => 'blob:photo');
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download === '') opened.push(this.pathname);
    else saved.push(this.download);
  });
});

async function openResults(handlers: Parameters<typeof mockFormServer>[0]) {
  const server = mockFormServer(handlers);
  const page = renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  return { server, page };
}

test('[DOWN002] [DOWN004] [DOWN006] [DOWN013] [DOWN020] [FACE022] [STORE004] a photo is saved and marked as saved', async () => {
  const { page } = await openResults({ ...searchHandlers(), ...files });
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  expect(await screen.findByText('Photo downloaded successfully!')).toBeVisible();
  expect(saved).toEqual(['1.JPG']);
  expect(screen.getByRole('button', { name: 'Photo 1 downloaded, download again' })).toBeVisible();
  const drawnIn = (name: string) => screen.getByRole('button', { name }).innerHTML;
  expect(drawnIn('Photo 1 downloaded, download again')).toBe(renderToStaticMarkup(<Icon name="check" />));
  expect(drawnIn('Download photo 2')).toBe(renderToStaticMarkup(<Icon name="download" />));
  expect(localStorage.getItem('downloadedMatches')).toBe('["photo-1"]');
  page.unmount();
  renderEventPage();
  expect(await screen.findByRole('button', { name: /^Photo 1 downloaded/ })).toBeVisible();
});

test('[DOWN014] [DOWN003] a failed download shows an error with the reason', async () => {
  await openResults({ ...searchHandlers(), [downloadUrlRoute]: () => json({}) });
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  expect(await screen.findByText('Failed to download photo. Please try again.')).toBeVisible();
  expect(screen.getByText('No download URL received from server')).toBeVisible();
  expect(saved).toEqual([]);
});

test('[DOWN001] a match with neither url nor s3_key is not available', async () => {
  const { server } = await openResults(searchHandlers({ matches: [match(1, { url: null, s3_key: null })] }));
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  expect(await screen.findByText('Download URL not available for this photo.')).toBeVisible();
  expect(server.callsTo(downloadUrlRoute)).toHaveLength(0);
});

test('[DOWN005] a downloading photo shows its progress, then that it is saved or failed', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  await openResults({
    ...searchHandlers(),
    ...files,
    'GET /api/files/events/1': () => new Response(readable, { headers: { 'Content-Length': '10' } }),
    'GET /api/files/events/2': () => errorResponse(500),
  });
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  const progress = await screen.findByRole('progressbar', { name: 'Downloading photo 1' });
  void writer.write(new Uint8Array(4));
  await waitFor(() => expect(progress).toHaveAttribute('aria-valuenow', '40'));
  void writer.write(new Uint8Array(6));
  void writer.close();
  expect(await screen.findByRole('button', { name: 'Photo 1 downloaded, download again' })).toBeVisible();
  expect(screen.queryByRole('progressbar', { name: 'Downloading photo 1' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Download photo 2' }));
  expect(await screen.findByText('Failed to download photo. Please try again.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Download photo 2' })).toBeEnabled();
});

test('[DOWN007] a photo without s3_key is saved from its url as match-{n}.jpg', async () => {
  const nameless = match(1, { s3_key: null, url: 'https://photos.example/api/files/events/1' });
  await openResults({ ...searchHandlers({ matches: [nameless] }), ...files });
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  await waitFor(() => expect(saved).toEqual(['match-1.jpg']));
});

test('a download can be cancelled', async () => {
  await openResults({
    ...searchHandlers(),
    [downloadUrlRoute]: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel download of photo 1' }));
  expect(await screen.findByRole('button', { name: 'Download photo 1' })).toBeVisible();
  expect(screen.queryByText(/^Failed/)).not.toBeInTheDocument();
});

test('[DOWN025] [DOWN008] [DOWN017] on a desktop all photos are saved one by one', async () => {
  await openResults({ ...searchHandlers({ matches: matchList(2) }), ...files });
  await user.click(screen.getByRole('button', { name: 'Download All Photos (2)' }));
  expect(await screen.findByText('All 2 photos downloaded successfully.')).toBeVisible();
  expect(saved).toEqual(['photo-1.jpg', 'photo-2.jpg']);
});

test('[DOWN018] [DOWN019] a failed photo does not stop the others', async () => {
  const handlers = { ...searchHandlers({ matches: matchList(2) }), ...files };
  await openResults({ ...handlers, 'GET /api/files/events/1': () => errorResponse(500) });
  await user.click(screen.getByRole('button', { name: 'Download All Photos (2)' }));
  const text = '1 out of 2 photos downloaded successfully.';
  expect(await screen.findByText(text)).toBeVisible();
  expect(saved).toEqual(['photo-2.jpg']);
});

test.each([
  [1, 'Failed to download photo. Please try downloading them individually.'],
  [2, 'Failed to download some photos. Please try downloading them individually.'],
])('[DOWN015] [DOWN016] a run that saved none of %i says so', async (count, text) => {
  await openResults({
    ...searchHandlers({ matches: matchList(count) }),
    [downloadUrlRoute]: () => errorResponse(500),
  });
  await user.click(screen.getByRole('button', { name: `Download All Photos (${count})` }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(saved).toEqual([]);
});

describe('the ZIP', () => {
  const zipRoute = (token: string) => `HEAD /api/face/download/${token}.zip`;
  const combineRoute = 'POST /api/face/download';
  /** Combines tokens into one that is named after them. */
  const combine = {
    [combineRoute]: ({ body }: { body: unknown }) =>
      json({ download_token: (body as { tokens: string[] }).tokens.join('+') }, 201),
  };
  const zip = () => new Response(null, { headers: { 'Content-Length': String(182 * 1_048_576) } });

  test('[DOWN026] is offered if the server returns a token, and is downloaded by the browser', async () => {
    await openResults({
      ...searchHandlers({ downloadTokens: ['token'] }),
      ...combine,
      [zipRoute('token')]: zip,
    });
    expect(screen.getByRole('button', { name: 'Download All Photos (3)' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Download all as one ZIP' }));
    expect(await screen.findByText('One ZIP with all 3 photos is downloading, 182.0 MB.')).toBeVisible();
    expect(opened).toEqual(['/api/face/download/token.zip']);
  });

  test('is not offered if the server returns no token', async () => {
    await openResults(searchHandlers());
    expect(screen.queryByRole('button', { name: /ZIP/ })).not.toBeInTheDocument();
  });

  test('[DOWN027] is the default on a phone', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({
          matches: media.includes('coarse'),
          media,
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    await openResults({
      ...searchHandlers({ downloadTokens: ['token'] }),
      ...combine,
      [zipRoute('token')]: zip,
    });
    const button = screen.getByRole('button', { name: 'Download All Photos (3) as one ZIP' });
    await user.click(button);
    await waitFor(() => expect(opened).toEqual(['/api/face/download/token.zip']));
  });

  test('with an expired token is requested again by repeating the search', async () => {
    const tokens = ['old', 'new'];
    const { server } = await openResults({
      ...searchHandlers(),
      [searchRoute]: () => json(searchBody(searchResult({ downloadTokens: tokens.splice(0, 1) }))),
      [zipRoute('old')]: () => new Response(null, { status: 404 }),
      [zipRoute('new')]: zip,
      ...combine,
    });
    await user.click(screen.getByRole('button', { name: 'Download all as one ZIP' }));
    await waitFor(() => expect(opened).toEqual(['/api/face/download/new.zip']));
    expect(server.callsTo(searchRoute)).toHaveLength(2);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('that fails shows the reason, and can be requested again', async () => {
    const answers = [() => Promise.reject(new TypeError('Failed to fetch')), () => Promise.resolve(zip())];
    await openResults({
      ...searchHandlers({ downloadTokens: ['token'] }),
      ...combine,
      [zipRoute('token')]: () => answers.shift()?.() ?? zip(),
    });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const button = screen.getByRole('button', { name: 'Download all as one ZIP' });
    await user.click(button);
    const text = 'The ZIP could not be fetched. You are offline. Please try again.';
    expect(await screen.findByText(text)).toBeVisible();
    expect(opened).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Download all as one ZIP' }));
    await waitFor(() => expect(opened).toHaveLength(1));
  });
});

describe('the share sheet', () => {
  const share = vi.fn<(data: { files: File[] }) => Promise<void>>();
  const many = (count: number) => matchList(count).map((each) => ({ ...each, s3_key: 'events/1' }));
  const iphone = () => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone)');

  beforeEach(() => {
    share.mockReset().mockResolvedValue(undefined);
    Object.assign(navigator, { share, canShare: () => true });
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'share');
    Reflect.deleteProperty(navigator, 'canShare');
  });

  test('[DOWN028] [DOWN029] is the default on an iPhone, with at most 25 photos at a time', async () => {
    iphone();
    await openResults({ ...searchHandlers({ matches: many(30) }), ...files });
    await user.click(screen.getByRole('button', { name: 'Download All Photos (30) to Photos, 1 to 25' }));
    await user.click(await screen.findByRole('button', { name: /^Save 25 photos to Photos/ }));
    await waitFor(() => expect(share).toHaveBeenCalledOnce());
    expect(share.mock.calls[0]?.[0].files).toHaveLength(25);
    await user.click(
      await screen.findByRole('button', { name: 'Download All Photos (30) to Photos, 26 to 30' }),
    );
    expect(await screen.findByRole('button', { name: /^Save 5 photos to Photos/ })).toBeVisible();
  });

  test('[DOWN081] elsewhere gets at most 10 photos and 50 MiB at a time', async () => {
    const large = many(12).map((each, at) => ({ ...each, size_bytes: at < 3 ? 20 * 1_048_576 : 1 }));
    await openResults({ ...searchHandlers({ matches: large }), ...files });
    await user.click(screen.getByRole('button', { name: 'Share photos 1 to 2' }));
    await user.click(await screen.findByRole('button', { name: 'Share 2 photos' }));
    expect(await screen.findByRole('button', { name: 'Share photos 3 to 12' })).toBeVisible();
  });

  test('[DOWN082] keeps the photos ready after any rejection, and when the browser never answers', async () => {
    iphone();
    await openResults({ ...searchHandlers({ matches: many(2) }), ...files });
    await user.click(screen.getByRole('button', { name: 'Download All Photos (2) to Photos' }));
    const save = await screen.findByRole('button', { name: /^Save 2 photos to Photos/ });
    share.mockRejectedValueOnce(new DOMException('denied', 'NotAllowedError'));
    await user.click(save);
    expect(await screen.findByText(/could not be shared\. They are still here/)).toBeVisible();
    share.mockRejectedValueOnce(new DOMException('closed', 'AbortError'));
    await user.click(save);
    await waitFor(() => expect(save).toBeEnabled());

    vi.useFakeTimers({ shouldAdvanceTime: true });
    share.mockReturnValueOnce(new Promise(() => undefined));
    fireEvent.click(save);
    expect(save).toBeDisabled();
    await act(() => vi.advanceTimersByTimeAsync(shareTimeout));
    expect(save).toBeEnabled();
    vi.useRealTimers();
    await user.click(save);
    await waitFor(() => expect(localStorage.getItem('downloadedMatches')).toBe('["photo-1","photo-2"]'));
  });

  test('the next batch begins with the photo at which the connection was lost', async () => {
    iphone();
    let online = true;
    let fetched = 0;
    await openResults({
      ...searchHandlers({ matches: many(30) }),
      ...files,
      'GET /api/files/events/1': () => {
        fetched += 1;
        if (fetched === 3) online = false;
        return online ? new Response('one') : Promise.reject(new TypeError('Load failed'));
      },
    });
    await user.click(screen.getByRole('button', { name: 'Download All Photos (30) to Photos, 1 to 25' }));
    await user.click(await screen.findByRole('button', { name: /^Save \d+ photos to Photos/ }));
    await waitFor(() => expect(share).toHaveBeenCalledOnce());
    expect(share.mock.calls[0]?.[0].files).toHaveLength(2);
    const next = 'Download All Photos (30) to Photos, 3 to 27';
    await user.click(await screen.findByRole('button', { name: next }));
    expect(
      await screen.findByText('Failed to download some photos. Please try downloading them individually.'),
    ).toBeVisible();
    expect(fetched, 'without a connection the others are not tried').toBe(3 + 2);
    online = true;
    await user.click(screen.getByRole('button', { name: next }));
    expect(await screen.findByRole('button', { name: /^Save 25 photos to Photos/ })).toBeVisible();
  });

  test('a photo that is not there does not stop the batch', async () => {
    iphone();
    const missing = matchList(3).map((each, at) => ({ ...each, s3_key: at === 1 ? 'events/2' : 'events/1' }));
    await openResults({
      ...searchHandlers({ matches: missing }),
      ...files,
      'GET /api/files/events/2': () => errorResponse(404),
    });
    await user.click(screen.getByRole('button', { name: 'Download All Photos (3) to Photos' }));
    expect(await screen.findByRole('button', { name: /^Save 2 photos to Photos/ })).toBeVisible();
  });

  test('of another search begins with its first photo, without what was fetched of the last one', async () => {
    iphone();
    await openResults({ ...searchHandlers({ matches: many(30) }), ...files });
    const first = 'Download All Photos (30) to Photos, 1 to 25';
    await user.click(screen.getByRole('button', { name: first }));
    await user.click(await screen.findByRole('button', { name: /^Save 25 photos to Photos/ }));
    const second = 'Download All Photos (30) to Photos, 26 to 30';
    await user.click(await screen.findByRole('button', { name: second }));
    expect(await screen.findByRole('button', { name: /^Save 5 photos to Photos/ })).toBeVisible();
    await goBack();
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    expect(await screen.findByRole('button', { name: first })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Save 5 photos to Photos/ })).not.toBeInTheDocument();
  });

  test('[DOWN028] one photo is shared with one tap', async () => {
    iphone();
    await openResults({ ...searchHandlers(), ...files });
    await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
    await waitFor(() => expect(share).toHaveBeenCalledOnce());
    expect(share.mock.calls[0]?.[0].files).toHaveLength(1);
    expect(await screen.findByRole('button', { name: /^Photo 1 downloaded/ })).toBeVisible();
    expect(screen.getByRole('button', { name: /^Download All Photos/ })).toBeVisible();
  });

  test('[DOWN028] one photo that took too long for that is shared on a second tap', async () => {
    share.mockRejectedValueOnce(new DOMException('too late', 'NotAllowedError'));
    iphone();
    await openResults({ ...searchHandlers({ matches: many(3) }), ...files });
    await user.click(screen.getByRole('button', { name: 'Download photo 2' }));
    expect(share).toHaveBeenCalledOnce();
    expect(screen.queryByText(/could not be shared/)).not.toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: /^Save 1 photo to Photos/ }));
    expect(await screen.findByRole('button', { name: /^Photo 2 downloaded/ })).toBeVisible();
  });
});

test('[DOWN083] a photo that is too large for memory is left to the browser, and said so', async () => {
  const large = match(1, { size_bytes: 90 * 1_048_576 });
  await openResults({ ...searchHandlers({ matches: [large] }), ...files });
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  expect(await screen.findByText('Sent to your browser.')).toBeVisible();
  expect(opened).toEqual(['/api/files/events/1']);
  expect(saved).toEqual([]);
  expect(screen.getByRole('button', { name: 'Download photo 1' })).toBeVisible();
});

test('[DOWN084] several photos are chosen by tap and saved together', async () => {
  const { server } = await openResults({ ...searchHandlers(), ...files });
  await user.click(screen.getByRole('button', { name: 'Choose photos' }));
  expect(screen.getByRole('button', { name: 'Download Photos (0)' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Photo 2 of 3' }));
  await user.click(screen.getByRole('button', { name: 'Photo 3 of 3' }));
  await user.click(screen.getByRole('button', { name: 'Photo 3 of 3' }));
  expect(screen.getByRole('button', { name: 'Photo 2 of 3' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Download Photos (1)' }));
  await waitFor(() => expect(saved).toEqual(['photo-1.jpg']));
  expect(server.callsTo('GET /api/files/events/2')).toHaveLength(1);
  await user.click(await screen.findByRole('button', { name: 'Choose all' }));
  expect(screen.getByRole('button', { name: 'Download All Photos (3)' })).toBeVisible();
});
