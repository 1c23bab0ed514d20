import { describe, expect, it, vi } from 'vitest';
import { within } from './deadline';

describe('a deadline', () => {
  it('ends with its signal, and gives its reason', () => {
    const person = new AbortController();
    const signal = within(person.signal, 60_000);
    expect(signal.aborted).toBe(false);
    const reason = new Error('called off');
    person.abort(reason);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(reason);
    expect(within(person.signal, 60_000).reason).toBe(reason);
  });

  it('ends when the time is over, and only once', () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    const person = new AbortController();
    const signal = within(person.signal, 10_000);
    expect(timeout).toHaveBeenCalledWith(10_000);
    const ended = vi.fn();
    signal.addEventListener('abort', ended);
    const reason = new DOMException('too late', 'TimeoutError');
    clock.abort(reason);
    person.abort();
    expect(signal.reason).toBe(reason);
    expect(ended).toHaveBeenCalledTimes(1);
  });
});
