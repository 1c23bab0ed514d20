import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../shared/api/errors';
import { inTurn } from './turns';

const rateLimited = (retryAfter?: number) =>
  new ApiError(429, 'Too many requests.', retryAfter === undefined ? {} : { retryAfter });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => vi.useRealTimers());

describe('a turn', () => {
  it('comes after the time that the server named, a little later for each, and again if it must', async () => {
    const ask = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(rateLimited(10))
      .mockRejectedValueOnce(rateLimited(2))
      .mockResolvedValue('found');
    const heard: (number | null)[] = [];
    const start = Date.now();
    const asked = inTurn(ask, (startsAt) => heard.push(startsAt), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(11_499);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ask).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3500);
    expect(await asked).toBe('found');
    expect(heard).toEqual([start + 11_500, null, start + 15_000, null]);
  });

  it('is not waited for beyond three minutes, nor where the server names no time', async () => {
    const { signal } = new AbortController();
    const onWait = vi.fn();
    const late = rateLimited(181);
    await expect(inTurn(() => Promise.reject(late), onWait, signal)).rejects.toBe(late);
    const unnamed = rateLimited();
    await expect(inTurn(() => Promise.reject(unnamed), onWait, signal)).rejects.toBe(unnamed);
    const lost = new ApiError(0, 'lost', { retryAfter: 1 });
    await expect(inTurn(() => Promise.reject(lost), onWait, signal)).rejects.toBe(lost);
    expect(onWait).not.toHaveBeenCalled();
  });

  it('is given up when the search is called off', async () => {
    const controller = new AbortController();
    const calledOff = new Error('called off');
    const ask = vi.fn(() =>
      controller.signal.aborted ? Promise.reject(calledOff) : Promise.reject(rateLimited(60)),
    );
    const asked = inTurn(ask, vi.fn(), controller.signal);
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort();
    await expect(asked).rejects.toBe(calledOff);
  });
});
