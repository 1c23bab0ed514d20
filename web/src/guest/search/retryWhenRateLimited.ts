import { ApiError } from '../../platform/api/errors';
import { delay } from '../../platform/delay';

/** Milliseconds after which the error is thrown instead of waiting any longer. */
const maxWait = 180_000;
/** Maximum jitter in milliseconds: otherwise all waiting clients would retry at the same moment. */
const maxJitter = 3000;

/**
 * Sends a request, and retries it after `Retry-After` on 429. The guests of one venue share its IP address and so its
 * rate limit. `onWait` is called with the time of the next retry, and with null once it starts.
 */
export async function retryWhenRateLimited<T>(
  request: () => Promise<T>,
  onWait: (retryAt: number | null) => void,
  signal: AbortSignal,
): Promise<T> {
  const deadline = Date.now() + maxWait;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined;
      if (seconds === undefined) throw error;
      const retryAt = Date.now() + 1000 * seconds + Math.random() * maxJitter;
      if (retryAt > deadline) throw error;
      onWait(retryAt);
      await delay(retryAt - Date.now(), signal);
      onWait(null);
    }
  }
}
