import { expect, test, vi } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { startZipDownload, zipExpiredText, zipFailedText, zipStartedText } from './zips';

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
