import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pollDeletion } from './pollDeletion';

const running = () => Promise.resolve({ status: 'processing' });
const neverAborted = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});

describe('polling a deletion', () => {
  it('checks after 2 s and then every 5 s [EVT030] [EVT031] [EVT036] [CONST019]', async () => {
    const check = vi.fn(running);
    void pollDeletion(check, neverAborted);
    await vi.advanceTimersByTimeAsync(1999);
    expect(check).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(4999);
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('ends with completed or failed and its message', async () => {
    const answers = [{ status: 'in_progress' }, { status: 'completed', message: 'gone' }];
    const outcome = pollDeletion(() => Promise.resolve(answers.shift() ?? { status: 'lost' }), neverAborted);
    await vi.advanceTimersByTimeAsync(7000);
    expect(await outcome).toEqual({ kind: 'completed', message: 'gone' });
    const failure = pollDeletion(() => Promise.resolve({ status: 'failed' }), neverAborted);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await failure).toEqual({ kind: 'failed', message: null });
  });

  it('times out after 60 repeated checks [EVT032] [EVT037]', async () => {
    const check = vi.fn(running);
    const outcome = pollDeletion(check, neverAborted);
    await vi.advanceTimersByTimeAsync(2000 + 60 * 5000);
    expect(await outcome).toEqual({ kind: 'timedOut' });
    expect(check).toHaveBeenCalledTimes(61);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(check).toHaveBeenCalledTimes(61);
  });

  it('ends at the first check that fails (U43)', async () => {
    const check = vi.fn(() => Promise.reject(new Error('offline')));
    const outcome = pollDeletion(check, neverAborted);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcome).toEqual({ kind: 'unknown' });
    expect(check).toHaveBeenCalledOnce();
  });

  it('stops when it is aborted', async () => {
    const check = vi.fn(running);
    const stop = new AbortController();
    const outcome = pollDeletion(check, stop.signal);
    await vi.advanceTimersByTimeAsync(2000);
    stop.abort();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcome).toBeNull();
    expect(check).toHaveBeenCalledOnce();
  });
});
