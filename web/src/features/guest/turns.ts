import { ApiError } from '../../shared/api/errors';
import { delay } from '../../shared/delay';

/** Milliseconds that somebody waits for a turn before they are told instead. */
const patience = 180_000;
/** Everybody who waits is told the same moment: each comes up to so many milliseconds later. */
const spread = 3000;

/**
 * Asks, and asks again when the server says that it was too often. The guests of one place share its address, and so
 * its limit: whoever comes too early waits for a turn, and `onWait` hears when it is, or null once it has come.
 */
export async function inTurn<T>(
  ask: () => Promise<T>,
  onWait: (startsAt: number | null) => void,
  signal: AbortSignal,
): Promise<T> {
  const patientUntil = Date.now() + patience;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined;
      if (seconds === undefined) throw error;
      const startsAt = Date.now() + 1000 * seconds + Math.random() * spread;
      if (startsAt > patientUntil) throw error;
      onWait(startsAt);
      await delay(startsAt - Date.now(), signal);
      onWait(null);
    }
  }
}
