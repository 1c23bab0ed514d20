import type { UploadOutcome } from '../../shared/api/upload';
import { delay } from '../../shared/delay';
import {
  advance,
  type ConnectionSpeed,
  emptyQueue,
  isFinished,
  isUploading,
  nextToSend,
  type Queue,
  type QueueEvent,
  type QueueItem,
  type Tally,
  tally,
} from './queue';

/** What the uploader needs from the world. */
export interface UploaderPorts {
  send: (
    item: QueueItem,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ) => Promise<UploadOutcome>;
  /** Whether the server has this file, by name and size. */
  look: (item: QueueItem) => Promise<'stored' | 'missing' | 'unreachable'>;
  measure: () => Promise<ConnectionSpeed>;
  /** Settles once the server answers again. */
  reached: (signal: AbortSignal) => Promise<void>;
}

export interface Uploader {
  read: () => Queue;
  /** Calls back after a change, and at most every 100 ms for what transfers report. */
  subscribe: (listener: () => void) => () => void;
  /** Calls back once for each batch that is over. */
  onFinished: (listener: (tally: Tally) => void) => () => void;
  add: (files: readonly File[], eventId: string | null) => void;
  measure: () => Promise<void>;
  retry: () => void;
  remove: (id: string) => void;
  pause: () => void;
  resume: () => void;
  /** Aborts what is on its way and forgets everything. */
  clear: () => void;
}

const verificationDelay = 2000;
/** Files that enter the queue in one go; between two goes the page draws a frame. */
const chunkSize = 100;
/** Milliseconds between two reports of what transfers do: three of them tell hundreds of times a second. */
const reportEvery = 100;

let lastNumber = 0;
const nextId = () => `upload-${(lastNumber += 1)}`;

const isReport = ({ kind }: QueueEvent) => kind === 'progressed' || kind === 'answered';

/** Drives the queue: sends what may be sent, verifies what is unclear, tells when a batch is over. */
export function createUploader(ports: UploaderPorts): Uploader {
  let queue: Queue = emptyQueue;
  const listeners = new Set<() => void>();
  const finishListeners = new Set<(tally: Tally) => void>();
  const transfers = new Map<string, AbortController>();
  /** Counts the clearings: a drop that is still coming in stops at the next one. */
  let filling = 0;
  let waiting: Promise<void> | null = null;
  let search = new AbortController();
  let report: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    clearTimeout(report);
    report = undefined;
    for (const listener of listeners) listener();
  }

  function apply(event: QueueEvent): void {
    const wasUploading = isUploading(queue);
    queue = advance(queue, event);
    const items = nextToSend(queue);
    if (items.length > 0) queue = advance(queue, { kind: 'started', ids: items.map(({ id }) => id) });
    for (const item of items) void transfer(item);
    if (isReport(event) && isUploading(queue)) report ??= setTimeout(tell, reportEvery);
    else tell();
    if (wasUploading && isFinished(queue) && event.kind !== 'removed') {
      for (const listener of finishListeners) listener(tally(queue));
    }
  }

  async function transfer(item: QueueItem): Promise<void> {
    const controller = new AbortController();
    transfers.set(item.id, controller);
    const { signal } = controller;
    const outcome = await ports.send(
      item,
      (fraction) => {
        if (!signal.aborted) apply({ kind: 'progressed', id: item.id, fraction });
      },
      signal,
    );
    if (signal.aborted) return;
    apply({ kind: 'answered', id: item.id, outcome });
    if (outcome.kind === 'unknown') await verify(item, signal);
    if (transfers.get(item.id) === controller) transfers.delete(item.id);
  }

  async function verify(item: QueueItem, signal: AbortSignal): Promise<void> {
    const isOver = () => signal.aborted;
    await delay(verificationDelay, signal);
    while (!isOver()) {
      const found = await ports.look(item);
      if (isOver()) return;
      if (found !== 'unreachable') {
        apply({ kind: 'verified', id: item.id, found: found === 'stored' });
        return;
      }
      // Nobody can be asked now: the batch waits instead of failing file by file.
      await waitForServer();
    }
  }

  /** Holds the queue until the server answers again. */
  function waitForServer(): Promise<void> {
    apply({ kind: 'lost' });
    if (waiting === null) {
      search = new AbortController();
      waiting = ports.reached(search.signal).then(() => {
        waiting = null;
        apply({ kind: 'found' });
      });
    }
    return waiting;
  }

  async function measure(): Promise<void> {
    apply({ kind: 'measured', speed: await ports.measure() });
  }

  function enqueue(files: readonly File[], eventId: string | null, run: number, from = 0): void {
    if (run !== filling) return;
    const chunk = files.slice(from, from + chunkSize).map((file) => ({ id: nextId(), file }));
    apply({ kind: 'enqueued', files: chunk, eventId, continues: from > 0 });
    const next = from + chunkSize;
    if (next < files.length) setTimeout(() => enqueue(files, eventId, run, next));
  }

  return {
    read: () => queue,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onFinished(listener) {
      finishListeners.add(listener);
      return () => finishListeners.delete(listener);
    },
    add(files, eventId) {
      if (files.length === 0) return;
      // A run that starts afresh asks first how fast the connection is now.
      const run = filling;
      if (isUploading(queue)) enqueue(files, eventId, run);
      else void measure().finally(() => enqueue(files, eventId, run));
    },
    measure,
    retry: () => apply({ kind: 'retried' }),
    remove(id) {
      transfers.get(id)?.abort();
      transfers.delete(id);
      apply({ kind: 'removed', id });
    },
    pause: () => apply({ kind: 'paused' }),
    resume: () => apply({ kind: 'resumed' }),
    clear() {
      for (const controller of transfers.values()) controller.abort();
      transfers.clear();
      search.abort();
      filling += 1;
      apply({ kind: 'cleared' });
    },
  };
}
