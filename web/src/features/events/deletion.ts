import { delay } from '../../shared/delay';

/** How following a deletion ended. */
export type DeletionOutcome =
  | { kind: 'completed'; message: string | null }
  | { kind: 'failed'; message: string | null }
  | { kind: 'timedOut' }
  | { kind: 'unknown' };

const firstDelay = 2000;
const nextDelay = 5000;
const furtherChecks = 60;

interface Status {
  status: string;
  message?: string | null | undefined;
}

/**
 * Asks for a deletion's status after 2 s and then every 5 s, 61 times at most.
 * Gives null when `signal` ended it.
 */
export async function followDeletion(
  check: () => Promise<Status>,
  signal: AbortSignal,
): Promise<DeletionOutcome | null> {
  const isOver = () => signal.aborted;
  for (let checks = 0; checks <= furtherChecks; checks += 1) {
    await delay(checks === 0 ? firstDelay : nextDelay, signal);
    if (isOver()) return null;
    let answer: Status;
    try {
      answer = await check();
    } catch {
      // What went wrong matters little to the person: the list will show the truth.
      return isOver() ? null : { kind: 'unknown' };
    }
    const { status, message = null } = answer;
    if (status === 'completed' || status === 'failed') return { kind: status, message };
  }
  return { kind: 'timedOut' };
}
