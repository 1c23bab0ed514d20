import { describe, expect, it, vi } from 'vitest';
import { withTimeout } from './withTimeout';

describe('withTimeout', () => {
  it('aborts with its signal and passes on the reason', () => {
    const caller = new AbortController();
    const signal = withTimeout(caller.signal, 60_000);
    expect(signal.aborted).toBe(false);
    const reason = new Error('cancelled');
    caller.abort(reason);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(reason);
    expect(withTimeout(caller.signal, 60_000).reason).toBe(reason);
  });

  it('aborts after the timeout, and only once', () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    const caller = new AbortController();
    const signal = withTimeout(caller.signal, 10_000);
    expect(timeout).toHaveBeenCalledWith(10_000);
    const ended = vi.fn();
    signal.addEventListener('abort', ended);
    const reason = new DOMException('too late', 'TimeoutError');
    clock.abort(reason);
    caller.abort();
    expect(signal.reason).toBe(reason);
    expect(ended).toHaveBeenCalledTimes(1);
  });
});
