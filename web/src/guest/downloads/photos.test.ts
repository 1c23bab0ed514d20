import { afterEach, describe, expect, test, vi } from 'vitest';
import { json } from '../../testing/server';
import { match, mockFormServer, mockTimeouts, never } from '../testing';
import { fetchDownloadUrl, fetchPhoto } from './photos';

const neverAborted = new AbortController().signal;

afterEach(() => {
  vi.useRealTimers();
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

  test('[DOWN011] [CONST017] the bytes time out 30 s after the last one that arrived', async () => {
    vi.useFakeTimers();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    mockFormServer({
      'GET /api/files/1': ({ signal }) => {
        signal.addEventListener('abort', () => void writer.abort(signal.reason));
        return new Response(readable);
      },
    });
    const ended = vi.fn();
    const fetched = fetchPhoto('/api/files/1', () => undefined, neverAborted);
    fetched.catch(ended);
    for (let arrived = 0; arrived < 4; arrived += 1) {
      void writer.write(new Uint8Array(1));
      await vi.advanceTimersByTimeAsync(29_000);
    }
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1001);
    await expect(fetched).rejects.toThrow('No byte arrived');
  });

  test('a response that ends early is an error', async () => {
    mockFormServer({
      'GET /api/files/1': () => new Response('0123', { headers: { 'Content-Length': '10' } }),
    });
    await expect(fetchPhoto('/api/files/1', () => undefined, neverAborted)).rejects.toThrow('closed early');
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
