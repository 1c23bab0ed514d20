import { delay } from '../../platform/delay';

/** The outcome of polling a deletion. */
export type DeletionOutcome =
  | { kind: 'completed'; message: string | null }
  | { kind: 'failed'; message: string | null }
  | { kind: 'timedOut' }
  | { kind: 'unknown' };

const firstDelay = 2000;
const repeatDelay = 5000;
const maxRepeatedChecks = 60;

interface TaskStatus {
  status: string;
  message?: string | null | undefined;
}

/**
 * Polls the status of a deletion after 2 s and then every 5 s, at most 61 times.
 * Returns null if it was aborted.
 */
export async function pollDeletion(
  check: () => Promise<TaskStatus>,
  signal: AbortSignal,
): Promise<DeletionOutcome | null> {
  const isAborted = () => signal.aborted;
  for (let checks = 0; checks <= maxRepeatedChecks; checks += 1) {
    await delay(checks === 0 ? firstDelay : repeatDelay, signal);
    if (isAborted()) return null;
    let answer: TaskStatus;
    try {
      answer = await check();
    } catch {
      // The cause is not shown: the list of events shows the result.
      return isAborted() ? null : { kind: 'unknown' };
    }
    const { status, message = null } = answer;
    if (status === 'completed' || status === 'failed') return { kind: status, message };
  }
  return { kind: 'timedOut' };
}
