/**
 * A signal that ends with `signal`, and after so many milliseconds at the latest, then with a `TimeoutError`.
 * `AbortSignal.any` would say the same, but phones that stay on iOS 16 do not have it.
 */
export function within(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  for (const source of [signal, AbortSignal.timeout(milliseconds)]) {
    const end = () => controller.abort(source.reason);
    if (source.aborted) end();
    else source.addEventListener('abort', end, { once: true, signal: controller.signal });
  }
  return controller.signal;
}
