import { api } from '../../../platform/api/client';
import { delay } from '../../../platform/delay';
import type { ConnectionSpeed } from './queue';

const fastBelow = 100;
const mediumBelow = 150;
const warnAbove = 200;

/** Classifies a latency in milliseconds; null for a failed request. */
export function classifyLatency(latency: number | null): Exclude<ConnectionSpeed, 'unknown'> {
  if (latency === null) return 'slow';
  if (latency < fastBelow) return 'fast';
  return latency < mediumBelow ? 'medium' : 'slow';
}

/** Milliseconds after which a health check counts as failed. */
const healthCheckTimeout = 3000;

/** Whether the server answers a health check in time. */
async function isHealthy(signal?: AbortSignal): Promise<boolean> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([
      api.HEAD('/api/health', { signal: controller.signal }).then(({ response }) => response.ok),
      delay(healthCheckTimeout, controller.signal).then(() => false),
    ]);
  } catch {
    return false;
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
}

/** Measures the latency of a health check and classifies the connection. */
export async function measureConnection(): Promise<Exclude<ConnectionSpeed, 'unknown'>> {
  const start = performance.now();
  if (!(await isHealthy())) return 'slow';
  const latency = performance.now() - start;
  if (latency > warnAbove) console.warn(`High latency: ${Math.round(latency)} ms`);
  return classifyLatency(latency);
}

/** Milliseconds between two health checks of a server that is unreachable. */
const healthCheckInterval = 5000;

/** Resolves once a health check succeeds, or as soon as `signal` aborts. */
export async function waitUntilReachable(signal: AbortSignal): Promise<void> {
  const isAborted = () => signal.aborted;
  while (!isAborted()) {
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        window.removeEventListener('online', finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, healthCheckInterval);
      window.addEventListener('online', finish);
      signal.addEventListener('abort', finish);
    });
    if (isAborted()) return;
    if (await isHealthy(signal)) return;
  }
}
