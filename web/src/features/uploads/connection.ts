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
