import type { Queue, QueueAction } from './queue';
import type { Version } from './versions';

/** Asks the server which photos the names of the queue's files are those of, before the first of them travels. */

export interface VersionPorts {
  /** Whether the event may have photos already; where it has none, nothing is asked. */
  mayHavePhotos: (eventId: string | null) => boolean;
  /**
   * The photos by the names that were asked for. `unreachable`: there is no answer, `later`: the server answers it another
   * time, `refused`: it does not.
   */
  find: (
    names: readonly string[],
    eventId: string | null,
  ) => Promise<ReadonlyMap<string, Version> | 'unreachable' | 'later' | 'refused'>;
}

export interface VersionLookups {
  /** Continues with what the queue needs now; to be called after it changed. */
  advance: () => void;
  clear: () => void;
}

/** Names that are asked for in one question; the server answers no more. */
export const namesPerQuestion = 1000;
const firstPause = 2000;
const longestPause = 60_000;

export function createVersionLookups(
  { find }: Pick<VersionPorts, 'find'>,
  getQueue: () => Queue,
  dispatch: (action: QueueAction) => void,
  waitForServer: () => Promise<void>,
): VersionLookups {
  let asking = false;
  let pause = firstPause;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented by `clear`, so that what is under way has no effect. */
  let generation = 0;

  /** What is found by all names, whatever their number; without an answer the reason. */
  async function findAll(
    names: readonly string[],
    eventId: string | null,
  ): Promise<Map<string, Version> | 'unreachable' | 'later' | 'refused'> {
    const found = new Map<string, Version>();
    for (let from = 0; from < names.length; from += namesPerQuestion) {
      // One after the other: each is bounded because of what it costs the server.
      const part = await find(names.slice(from, from + namesPerQuestion), eventId);
      if (typeof part === 'string') return part;
      for (const [name, version] of part) found.set(name, version);
    }
    return found;
  }

  async function ask(): Promise<void> {
    const waiting = getQueue().items.filter(({ awaitsName }) => awaitsName);
    const eventId = waiting[0]?.eventId;
    if (eventId === undefined) return;
    const items = waiting.filter((item) => item.eventId === eventId);
    const started = generation;
    asking = true;
    const found = await findAll([...new Set(items.map(({ filename }) => filename))], eventId);
    if (started !== generation) return;
    if (found === 'unreachable') {
      await waitForServer();
      if (started !== generation) return;
    }
    asking = false;
    if (found === 'unreachable' || found === 'later') {
      // Nothing travels meanwhile: an edited version that is taken for another photo would be paid for.
      timer = setTimeout(() => {
        timer = undefined;
        advance();
      }, pause);
      pause = Math.min(longestPause, 2 * pause);
    } else {
      pause = firstPause;
      // Refused are questions whose uploads are refused too, with words for the photographer.
      const byId = items.map(
        ({ id, filename }) => [id, (found === 'refused' ? null : found.get(filename)) ?? null] as const,
      );
      dispatch({ kind: 'named', versions: new Map(byId) });
    }
  }

  function advance(): void {
    const { coming, items } = getQueue();
    // All files of a drop together: of several with one name none is a version.
    if (asking || timer !== undefined || coming > 0) return;
    if (items.some(({ awaitsName }) => awaitsName)) void ask();
  }

  return {
    advance,
    clear() {
      generation += 1;
      asking = false;
      clearTimeout(timer);
      timer = undefined;
      pause = firstPause;
    },
  };
}
