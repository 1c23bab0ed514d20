import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { mockTimeouts } from '../testing';
import { fetchZipSize, startZipDownload, zipExpiredText, zipFailedText, zipStartedText } from './zips';

const neverAborted = new AbortController().signal;

test('an expired token that cannot be renewed has its own message', async () => {
  const ports = {
    combineTokens: () => Promise.resolve('combined'),
    fetchSize: () => Promise.reject(new ApiError(404, 'gone')),
    renewTokens: () => Promise.resolve(null),
    startDownload: vi.fn(),
  };
  const failure = await startZipDownload(['token'], ['photo-1'], ports, neverAborted).catch(
    (error: unknown) => error,
  );
  expect(zipFailedText(failure)).toBe(zipExpiredText());
  expect(ports.startDownload).not.toHaveBeenCalled();
});

test('a token is renewed only once', async () => {
  const renewTokens = vi.fn(() => Promise.resolve({ tokens: ['next'], photoIds: ['photo-1'] }));
  const ports = {
    combineTokens: () => Promise.resolve('combined'),
    fetchSize: () => Promise.reject(new ApiError(404, 'gone')),
    renewTokens,
    startDownload: vi.fn(),
  };
  await expect(startZipDownload(['token'], ['photo-1'], ports, neverAborted)).rejects.toThrow('gone');
  expect(renewTokens).toHaveBeenCalledOnce();
});

test('[FACE557] a photo that the search does not find any more is left out once its token has ended, and that is said', async () => {
  const combineTokens = vi.fn((tokens: readonly string[], photos: readonly string[]) =>
    tokens[0] === 'next' && photos.every((photo) => photo === 'photo-1')
      ? Promise.resolve('combined')
      : Promise.reject(new ApiError(404, 'gone')),
  );
  const ports = {
    combineTokens,
    fetchSize: () => Promise.resolve(1000),
    renewTokens: () => Promise.resolve({ tokens: ['next'], photoIds: ['photo-1', 'photo-3'] }),
    startDownload: vi.fn(),
  };
  const started = await startZipDownload(['token'], ['photo-1', 'photo-2'], ports, neverAborted);
  expect(started).toEqual({ photos: 1, bytes: 1000 });
  expect(ports.startDownload).toHaveBeenCalledExactlyOnceWith('/api/face/download/combined.zip');
  expect(combineTokens).toHaveBeenLastCalledWith(['next'], ['photo-1'], neverAborted);
  expect(zipStartedText(1, 1000, 2)).toBe('One ZIP with 1 out of 2 photos is downloading.');
});

test('without any of the photos in it no ZIP is asked for', async () => {
  const combineTokens = vi.fn(() => Promise.reject(new ApiError(404, 'gone')));
  const ports = {
    combineTokens,
    fetchSize: () => Promise.resolve(null),
    renewTokens: () => Promise.resolve({ tokens: [], photoIds: [] }),
    startDownload: vi.fn(),
  };
  const failure = await startZipDownload(['token'], ['photo-1'], ports, neverAborted).catch(
    (error: unknown) => error,
  );
  expect(zipFailedText(failure)).toBe(zipExpiredText());
  expect(combineTokens).toHaveBeenCalledOnce();
});

test('the message has the number of photos, and the size if it is known', () => {
  expect(zipStartedText(12, null)).toBe('One ZIP with all 12 photos is downloading.');
  expect(zipStartedText(1, 3 * 1_048_576)).toBe('One ZIP with your photo is downloading, 3.0 MB.');
});

describe('the size of a ZIP', () => {
  const size = () => new Response(null, { headers: { 'Content-Length': '1000' } });
  const refused = (status: number, wait?: number) => () =>
    new Response(null, { status, ...(wait !== undefined && { headers: { 'Retry-After': String(wait) } }) });

  /** Asks a server that answers so, one answer after the other, the last one for ever. */
  function ask(...answers: ((signal: AbortSignal) => Response | Promise<Response>)[]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const calls = vi.fn((_path: string, { signal }: { signal: AbortSignal }) => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return Promise.resolve(answer?.(signal) ?? size());
    });
    vi.stubGlobal('fetch', calls);
    const controller = new AbortController();
    const asked = fetchZipSize('token', controller.signal).catch((error: unknown) => error);
    return { asked, calls, abort: () => controller.abort() };
  }
  const never = (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('is asked for again where the server lays other ZIPs out first, or does not answer in time', async () => {
    // [GAL506]
    const timeouts = mockTimeouts();
    const { asked, calls } = ask(never, refused(503), size);
    await vi.advanceTimersByTimeAsync(0);
    timeouts[0]?.end();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await asked).toBe(1000);
    expect(calls).toHaveBeenCalledTimes(3);
  });

  test('is asked for when the server says, and not for ever', async () => {
    // [GAL506]
    const { asked, calls } = ask(refused(429, 40), size);
    await vi.advanceTimersByTimeAsync(39_000);
    expect(calls).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await asked).toBe(1000);

    const { asked: late, calls: once } = ask(refused(429, 2400));
    await vi.advanceTimersByTimeAsync(0);
    expect(await late).toMatchObject({ status: 429, retryAfter: 2400 });
    expect(once).toHaveBeenCalledOnce();

    const { asked: busy } = ask(refused(503));
    await vi.advanceTimersByTimeAsync(240_000);
    expect(await busy).toMatchObject({ status: 503 });
  });

  test('is not asked for again where there is none, nor after the guest has cancelled', async () => {
    // [GAL506]
    const { asked, calls } = ask(refused(404));
    expect(await asked).toMatchObject({ status: 404 });
    expect(calls).toHaveBeenCalledOnce();

    const { asked: cancelled, calls: once, abort } = ask(refused(503));
    await vi.advanceTimersByTimeAsync(0);
    abort();
    expect(await cancelled).toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(once).toHaveBeenCalledOnce();
  });
});
