/**
 * A signal that aborts with `signal`, or with a `TimeoutError` after `milliseconds`.
 * Replaces `AbortSignal.any`, which Safari on iOS 16 does not have.
 */
export function withTimeout(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  for (const source of [signal, AbortSignal.timeout(milliseconds)]) {
    const end = () => controller.abort(source.reason);
    if (source.aborted) end();
    else source.addEventListener('abort', end, { once: true, signal: controller.signal });
  }
  return controller.signal;
}
