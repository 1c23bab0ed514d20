import { expect, test, vi } from 'vitest';
import { ApiError } from '../../shared/api/errors';
import { startZip, zipExpiredText, zipFailedText, zipStartedText } from './zips';

const neverAborted = new AbortController().signal;

test('a token that has run out and that no selfie can renew says what to do', async () => {
  const steps = {
    sizeOf: () => Promise.reject(new ApiError(404, 'gone')),
    renew: () => Promise.resolve(null),
    start: vi.fn(),
  };
  const failure = await startZip('token', steps, neverAborted).catch((error: unknown) => error);
  expect(zipFailedText(failure)).toBe(zipExpiredText);
  expect(steps.start).not.toHaveBeenCalled();
});

test('a token is renewed once, not for ever', async () => {
  const renew = vi.fn(() => Promise.resolve('next'));
  const steps = { sizeOf: () => Promise.reject(new ApiError(404, 'gone')), renew, start: vi.fn() };
  await expect(startZip('token', steps, neverAborted)).rejects.toThrow('gone');
  expect(renew).toHaveBeenCalledOnce();
});

test('what is said tells the number of photos, and the size where it is known', () => {
  expect(zipStartedText(12, null)).toBe('One ZIP with all 12 photos is downloading.');
  expect(zipStartedText(1, 3 * 1_048_576)).toBe('One ZIP with your photo is downloading, 3.0 MB.');
});
