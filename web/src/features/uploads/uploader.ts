import type { UploadOutcome } from '../../shared/api/upload';
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
  isStored: (item: QueueItem) => Promise<boolean>;
  measure: () => Promise<ConnectionSpeed>;
}

export interface Uploader {
  read: () => Queue;
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

let lastNumber = 0;
const nextId = () => `upload-${(lastNumber += 1)}`;

/** Drives the queue: sends what may be sent, verifies what is unclear, tells when a batch is over. */
export function createUploader(ports: UploaderPorts): Uploader {
  let queue: Queue = emptyQueue;
  const listeners = new Set<() => void>();
  const finishListeners = new Set<(tally: Tally) => void>();
  const transfers = new Map<string, AbortController>();

  function apply(event: QueueEvent): void {
    const wasUploading = isUploading(queue);
    queue = advance(queue, event);
    for (const listener of listeners) listener();
    sendNext();
    if (wasUploading && isFinished(queue) && event.kind !== 'removed') {
      for (const listener of finishListeners) listener(tally(queue));
    }
  }

  function sendNext(): void {
    const items = nextToSend(queue);
    if (items.length === 0) return;
    queue = advance(queue, { kind: 'started', ids: items.map(({ id }) => id) });
    for (const listener of listeners) listener();
    for (const item of items) void transfer(item);
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
    if (outcome.kind === 'unclear') await verify(item, signal);
    if (transfers.get(item.id) === controller) transfers.delete(item.id);
  }

  async function verify(item: QueueItem, signal: AbortSignal): Promise<void> {
    const isOver = () => signal.aborted;
    await new Promise((resolve) => setTimeout(resolve, verificationDelay));
    if (isOver()) return;
    let found = false;
    try {
      found = await ports.isStored(item);
    } catch {
      // A search that fails has found nothing; the item says that it could not be verified.
    }
    if (!isOver()) apply({ kind: 'verified', id: item.id, found });
  }

  async function measure(): Promise<void> {
    apply({ kind: 'measured', speed: await ports.measure() });
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
      const event: QueueEvent = {
        kind: 'enqueued',
        files: files.map((file) => ({ id: nextId(), file })),
        eventId,
      };
      // A run that starts afresh asks first how fast the connection is now.
      if (isUploading(queue)) apply(event);
      else void measure().finally(() => apply(event));
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
      apply({ kind: 'cleared' });
    },
  };
}
