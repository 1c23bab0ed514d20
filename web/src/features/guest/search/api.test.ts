import { describe, expect, test, vi } from 'vitest';
import { storedToken } from '../../../shared/storage';
import { json } from '../../../shared/testing/server';
import { NOTICE_VERSION } from '../capture/privacyNotice';
import { match, mockFormServer, searchBody, searchQuery, searchResult, searchRoute } from '../testing';
import { fetchDownloadUrl, fetchPhoto, searchFaces, searchFailureOf } from './api';

const neverAborted = new AbortController().signal;
const search = (change = {}) => searchFaces('aanya-rohan', searchQuery(change), neverAborted);
const failureIn = (call: Promise<unknown>) => call.then(() => expect.unreachable(), searchFailureOf);

/** Replaces AbortSignal.timeout by signals that the test aborts. */
function mockTimeouts() {
  const timeouts: { milliseconds: number; end: () => void }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    timeouts.push({ milliseconds, end: () => controller.abort(new DOMException('late', 'TimeoutError')) });
    return controller.signal;
  });
  return timeouts;
}

const never = ({ signal }: { signal: AbortSignal }) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('the search', () => {
  const found = { [searchRoute]: () => json(searchBody(searchResult())) };

  test('[API050] [FACE068] sends the selfie, the strictness and the version of the notice', async () => {
    const server = mockFormServer(found);
    await search({ strictness: 'loose' });
    const form = server.calls[0]?.form;
    expect(form?.['image']).toHaveLength(1);
    expect(form?.['strictness']).toEqual(['loose']);
    expect(form?.['notice_version']).toEqual([NOTICE_VERSION]);
    expect(form?.['face']).toBeUndefined();
  });

  test('[FACE053] sends up to three selfies and the chosen face', async () => {
    const server = mockFormServer(found);
    await search({ selfies: Array.from({ length: 3 }, () => searchQuery().selfies).flat(), face: 2 });
    expect(server.calls[0]?.form['image']).toHaveLength(3);
    expect(server.calls[0]?.form['face']).toEqual(['2']);
  });

  test('[FACE034] attaches the bearer token when there is one', async () => {
    storedToken.write('a-token');
    const server = mockFormServer(found);
    await search();
    expect(server.calls[0]?.headers.get('Authorization')).toBe('Bearer a-token');
  });

  test('[FACE035] works without a token', async () => {
    const server = mockFormServer(found);
    expect((await search()).matches).toHaveLength(3);
    expect(server.calls[0]?.headers.has('Authorization')).toBe(false);
  });

  test('[FACE036] [CONST015] times out after 60 s', async () => {
    const set = mockTimeouts();
    mockFormServer({ [searchRoute]: never });
    const failure = failureIn(search());
    await vi.waitFor(() => expect(set.length).toBeGreaterThan(0));
    set.find(({ milliseconds }) => milliseconds === 60_000)?.end();
    expect((await failure).text).toBe(
      'Failed to search for photos: the search took longer than 60 seconds. Please try again.',
    );
  });

  test('[FACE028] fails with the message of the server', async () => {
    mockFormServer({ [searchRoute]: () => json({ error: 'The photo is too dark.', code: 'too_dark' }, 422) });
    expect(await failureIn(search())).toEqual({ text: 'The photo is too dark.', code: 'too_dark' });
  });

  test('[FACE029] [ERR017] fails with the reason when there is no error message', async () => {
    mockFormServer({ [searchRoute]: () => new Response('<html>', { status: 502 }) });
    expect((await failureIn(search())).text).toBe(
      'Failed to search for photos: the server answered 502. Please try again.',
    );
    mockFormServer({ [searchRoute]: () => Promise.reject(new TypeError('network')) });
    expect((await failureIn(search())).text).toBe(
      'Failed to search for photos: the server could not be reached. Please try again.',
    );
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect((await failureIn(search())).text).toBe(
      'Failed to search for photos: you are offline. Please try again.',
    );
  });
});

describe('a download', () => {
  const route = 'GET /api/photos/download-by-s3';

  test('[API054] [DOWN002] fetches the URL by the key', async () => {
    const server = mockFormServer({ [route]: () => json({ download_url: 'https://store/1' }) });
    expect(await fetchDownloadUrl('events/1 a', neverAborted)).toBe('https://store/1');
    expect(server.calls[0]?.url.searchParams.get('key')).toBe('events/1 a');
  });

  test('[DOWN003] a response without download_url is an error', async () => {
    mockFormServer({ [route]: () => json({}) });
    await expect(fetchDownloadUrl('k', neverAborted)).rejects.toThrow('No download URL received from server');
  });

  test('[DOWN010] [CONST016] the request for the URL times out after 10 s', async () => {
    const set = mockTimeouts();
    mockFormServer({ [route]: never });
    const asked = fetchDownloadUrl('k', neverAborted);
    await vi.waitFor(() => expect(set.some(({ milliseconds }) => milliseconds === 10_000)).toBe(true));
    set.find(({ milliseconds }) => milliseconds === 10_000)?.end();
    await expect(asked).rejects.toThrow('The server gave no link');
  });

  test('[DOWN011] [CONST017] the request for the bytes times out after 30 s', async () => {
    const set = mockTimeouts();
    mockFormServer({ 'GET /api/files/1': never });
    const fetched = fetchPhoto('/api/files/1', () => undefined, neverAborted);
    set.find(({ milliseconds }) => milliseconds === 30_000)?.end();
    await expect(fetched).rejects.toThrow('late');
  });

  test('[DOWN005] [API056] the bytes are fetched with progress', async () => {
    const shares: number[] = [];
    const server = mockFormServer({
      'GET /api/files/1': () => new Response('0123456789', { headers: { 'Content-Length': '10' } }),
    });
    const photo = await fetchPhoto(match(1).url ?? '', (share) => shares.push(share), neverAborted);
    expect(photo.size).toBe(10);
    expect(shares.at(-1)).toBe(1);
    expect(server.calls[0]?.url.origin).toBe(location.origin);
  });

  test('an error response is an error', async () => {
    mockFormServer({ 'GET /api/files/1': () => new Response(null, { status: 404 }) });
    await expect(fetchPhoto('/api/files/1', () => undefined, neverAborted)).rejects.toThrow();
  });
});
