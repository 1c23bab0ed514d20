import type { Hasher } from './hashing';
import { isRunning, type Queue, type QueueAction, type QueueItem } from './queue';
import { isExpectedThere } from './queueHolds';
import { isHeldForVersions } from './versions';

/** Asks the server which of the queue's files it has already, ahead of their transfers. */

export interface LookupPorts {
  /** Whether the event may have photos already; where it has none, nothing is asked. */
  mayHavePhotos: (eventId: string | null) => boolean;
  hasher: Hasher;
  /** The ids of the photos of the event that have these hashes, by hash; null if the question is not answered. */
  findKnown: (
    hashes: readonly string[],
    eventId: string | null,
  ) => Promise<ReadonlyMap<string, string> | null>;
}

export interface Lookups {
  /** Continues with what the queue needs now; to be called after it changed. */
  advance: () => void;
  /** Forgets all hashes and stops hashing. */
  clear: () => void;
}

/** Files that are asked for in one question; the server answers no more. */
export const filesPerQuestion = 200;
/** Bytes of these files, after the first: the server reads as many before it answers. */
export const bytesPerQuestion = 1_000_000_000;
/** Milliseconds between two questions; meanwhile the next files are hashed. */
const questionInterval = 500;
/** Milliseconds after which an idle connection does not wait for a hash or an answer any longer. */
const longestIdle = 2000;
const firstPause = 5000;
const longestPause = 60_000;

/** Whether the answer would still save a transfer. */
/** In which order files are asked about: first those that a photo has the name of, last those that should be there. */
const rank = ({ version, uploadedBefore }: QueueItem): number =>
  version !== null ? 0 : uploadedBefore ? 2 : 1;

const needsLookup = (item: QueueItem): boolean =>
  item.awaitsLookup && (item.status === 'pending' || item.failure === 'connection');

/** Whether the file travels without its lookup rather than let the connection idle. */
const isReleasable = (item: QueueItem): boolean =>
  item.status === 'pending' && item.awaitsLookup && !isExpectedThere(item);

/** Whether the transfers stand still only because files wait for their lookup. */
const isHeldUp = (queue: Queue): boolean =>
  !queue.paused &&
  !queue.measuring &&
  !queue.outOfCredit &&
  !queue.overCredit &&
  !queue.disconnected &&
  !queue.held &&
  !queue.lookupsStalled &&
  !queue.items.some(isRunning) &&
  !isHeldForVersions(queue) &&
  queue.items.some(isReleasable);

export function createLookups(
  { hasher, findKnown }: Pick<LookupPorts, 'hasher' | 'findKnown'>,
  getQueue: () => Queue,
  dispatch: (action: QueueAction) => void,
): Lookups {
  /** By the id of their item. */
  const hashes = new Map<string, string>();
  let hashing = false;
  let asking = false;
  let nextQuestionAt = 0;
  let pause = firstPause;
  let questionTimer: ReturnType<typeof setTimeout> | undefined;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented by `clear`, so that what is under way has no effect. */
  let generation = 0;

  function stopIdleTimer(): void {
    clearTimeout(idleTimer);
    idleTimer = undefined;
  }

  function skip(id: string): void {
    stopIdleTimer();
    hashes.delete(id);
    dispatch({ kind: 'lookupSkipped', id });
  }

  async function hashNext(): Promise<void> {
    if (hashing) return;
    const items = getQueue().items.filter((each) => needsLookup(each) && !hashes.has(each.id));
    // Of what a photo has the name of nothing travels until it is known whether it is the same file.
    const item = items.reduce<QueueItem | undefined>(
      (first, each) => (first !== undefined && rank(first) <= rank(each) ? first : each),
      undefined,
    );
    if (item === undefined) return;
    const started = generation;
    hashing = true;
    const hash = await hasher.hash(item.file);
    if (started !== generation) return;
    hashing = false;
    if (hash === null) {
      skip(item.id);
    } else {
      hashes.set(item.id, hash);
      advance();
    }
  }

  function scheduleQuestion(): void {
    if (asking || questionTimer !== undefined || hashes.size === 0) return;
    questionTimer = setTimeout(
      () => {
        questionTimer = undefined;
        void ask();
      },
      Math.max(0, nextQuestionAt - Date.now()),
    );
  }

  /** Forgets the hashes of items that were removed, or are uploaded without their lookup. */
  function forgetSettled({ items }: Queue): void {
    const awaiting = new Set(items.filter(({ awaitsLookup }) => awaitsLookup).map(({ id }) => id));
    for (const id of hashes.keys()) if (!awaiting.has(id)) hashes.delete(id);
  }

  async function ask(): Promise<void> {
    const queue = getQueue();
    if (queue.disconnected) return;
    forgetSettled(queue);
    const items = queue.items
      .filter((item) => needsLookup(item) && hashes.has(item.id))
      .sort((one, other) => rank(one) - rank(other));
    const eventId = items[0]?.eventId;
    if (eventId === undefined) return;
    const asked = new Map<string, string>();
    let bytes = 0;
    for (const item of items) {
      const hash = hashes.get(item.id);
      if (hash === undefined || item.eventId !== eventId) continue;
      asked.set(item.id, hash);
      bytes += item.size;
      if (asked.size === filesPerQuestion || bytes >= bytesPerQuestion) break;
    }
    const started = generation;
    asking = true;
    const known = await findKnown([...new Set(asked.values())], eventId);
    if (started !== generation) return;
    asking = false;
    if (known === null) {
      // Files travel without the answer, and the question is repeated for those that still wait then.
      nextQuestionAt = Date.now() + pause;
      pause = Math.min(longestPause, 2 * pause);
      dispatch({ kind: 'lookupsFailed' });
      return;
    }
    nextQuestionAt = Date.now() + questionInterval;
    pause = firstPause;
    stopIdleTimer();
    const photos = new Map<string, string | null>();
    for (const [id, hash] of asked) {
      hashes.delete(id);
      photos.set(id, known.get(hash) ?? null);
    }
    dispatch({ kind: 'lookedUp', photos });
  }

  /** Lets a file travel without its lookup when hashing is slower than the connection. */
  function scheduleRelease(): void {
    if (!isHeldUp(getQueue())) {
      stopIdleTimer();
      return;
    }
    idleTimer ??= setTimeout(() => {
      idleTimer = undefined;
      const item = getQueue().items.find(isReleasable);
      if (item !== undefined) skip(item.id);
    }, longestIdle);
  }

  function advance(): void {
    void hashNext();
    scheduleQuestion();
    scheduleRelease();
    if (!hashing) hasher.stop();
  }

  return {
    advance,
    clear() {
      generation += 1;
      hashes.clear();
      hashing = false;
      asking = false;
      clearTimeout(questionTimer);
      questionTimer = undefined;
      stopIdleTimer();
      nextQuestionAt = 0;
      pause = firstPause;
      hasher.stop();
    },
  };
}
