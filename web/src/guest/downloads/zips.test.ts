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
  const renewTokens = vi.fn(() => Promise.resolve(['next']));
  const ports = {
    combineTokens: () => Promise.resolve('combined'),
    fetchSize: () => Promise.reject(new ApiError(404, 'gone')),
    renewTokens,
    startDownload: vi.fn(),
  };
  await expect(startZipDownload(['token'], ['photo-1'], ports, neverAborted)).rejects.toThrow('gone');
  expect(renewTokens).toHaveBeenCalledOnce();
});

test('the message has the number of photos, and the size if it is known', () => {
  expect(zipStartedText(12, null)).toBe('One ZIP with all 12 photos is downloading.');
  expect(zipStartedText(1, 3 * 1_048_576)).toBe('One ZIP with your photo is downloading, 3.0 MB.');
});
