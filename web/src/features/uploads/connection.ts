import { api } from '../../shared/api/client';
import type { ConnectionSpeed } from './queue';

const fastBelow = 100;
const mediumBelow = 150;
const highAbove = 200;

/** Classifies a latency in milliseconds; null is a request that failed. */
export function speedOf(latency: number | null): Exclude<ConnectionSpeed, 'unknown'> {
  if (latency === null) return 'slow';
  if (latency < fastBelow) return 'fast';
  return latency < mediumBelow ? 'medium' : 'slow';
}

/** Asks the server for a sign of life and says how fast the connection is. */
export async function measureConnection(): Promise<Exclude<ConnectionSpeed, 'unknown'>> {
  const start = performance.now();
  try {
    const { response } = await api.HEAD('/api/health');
    if (!response.ok) return 'slow';
  } catch {
    // No answer at all is the slowest of connections.
    return 'slow';
  }
  const latency = performance.now() - start;
  if (latency > highAbove) console.warn(`High latency: ${Math.round(latency)} ms`);
  return speedOf(latency);
}

/** Milliseconds between two knocks at a server that does not answer. */
const knockEvery = 5000;

/** Settles once the server answers, and at once when the wait is given up. */
export async function untilReached(signal: AbortSignal): Promise<void> {
  const isOver = () => signal.aborted;
  while (!isOver()) {
    await new Promise<void>((resolve) => {
      const over = () => {
        clearTimeout(timer);
        window.removeEventListener('online', over);
        signal.removeEventListener('abort', over);
        resolve();
      };
      const timer = setTimeout(over, knockEvery);
      window.addEventListener('online', over);
      signal.addEventListener('abort', over);
    });
    if (isOver()) return;
    try {
      const { response } = await api.HEAD('/api/health', { signal });
      if (response.ok) return;
    } catch {
      // Still no answer: the next knock will tell.
    }
  }
}
