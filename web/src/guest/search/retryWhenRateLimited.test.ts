import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { retryWhenRateLimited } from './retryWhenRateLimited';

const rateLimited = (retryAfter?: number) =>
  new ApiError(429, 'Too many requests.', retryAfter === undefined ? {} : { retryAfter });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => vi.useRealTimers());

describe('a rate-limited request', () => {
  it('is retried after Retry-After plus jitter, repeatedly if necessary', async () => {
    const ask = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(rateLimited(10))
      .mockRejectedValueOnce(rateLimited(2))
      .mockResolvedValue('found');
    const heard: (number | null)[] = [];
    const start = Date.now();
    const asked = retryWhenRateLimited(ask, (startsAt) => heard.push(startsAt), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(11_499);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ask).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3500);
    expect(await asked).toBe('found');
    expect(heard).toEqual([start + 11_500, null, start + 15_000, null]);
  });

  it('is not retried beyond three minutes, without Retry-After, or after a network error', async () => {
    const { signal } = new AbortController();
    const onWait = vi.fn();
    const late = rateLimited(181);
    await expect(retryWhenRateLimited(() => Promise.reject(late), onWait, signal)).rejects.toBe(late);
    const unnamed = rateLimited();
    await expect(retryWhenRateLimited(() => Promise.reject(unnamed), onWait, signal)).rejects.toBe(unnamed);
    const lost = new ApiError(0, 'lost', { retryAfter: 1 });
    await expect(retryWhenRateLimited(() => Promise.reject(lost), onWait, signal)).rejects.toBe(lost);
    expect(onWait).not.toHaveBeenCalled();
  });

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    const cancelled = new Error('cancelled');
    const ask = vi.fn(() =>
      controller.signal.aborted ? Promise.reject(cancelled) : Promise.reject(rateLimited(60)),
    );
    const asked = retryWhenRateLimited(ask, vi.fn(), controller.signal);
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort();
    await expect(asked).rejects.toBe(cancelled);
  });
});
