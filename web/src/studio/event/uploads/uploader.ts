import type { UploadOutcome } from '../../../platform/api/upload';
import { delay } from '../../../platform/delay';
import { createLookups, type LookupPorts } from './lookups';
import { createVersionLookups, type VersionPorts } from './versionLookups';
import {
  type ConnectionSpeed,
  emptyQueue,
  type FailureKind,
  isFinished,
  isUploading,
  itemsToStart,
  parallelUploads,
  type Queue,
  type QueueAction,
  type QueueItem,
  queueReducer,
} from './queue';
import { type QueueStats, queueStats } from './queueStats';

/** The side effects of the uploader. */
export interface UploaderPorts {
  upload: (
    item: QueueItem,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ) => Promise<UploadOutcome>;
  /** Searches the server for the file by name and size. */
  findStored: (item: QueueItem) => Promise<'stored' | 'missing' | 'unreachable'>;
  measure: () => Promise<ConnectionSpeed>;
  /** Null where files cannot be hashed: each is uploaded then, and the server recognises what it has. */
  lookups?: LookupPorts | null;
  /** Without it no file takes a photo's place. */
  versions?: VersionPorts;
  /** Resolves once the server is reachable again. */
  waitUntilReachable: (signal: AbortSignal) => Promise<void>;
}

export interface Uploader {
  getSnapshot: () => Queue;
  /** Calls the listener after each change; for updates of transfers at most every 100 ms. */
  subscribe: (listener: () => void) => () => void;
  /** Calls the listener once per finished batch. */
  onBatchFinished: (listener: (tally: QueueStats) => void) => () => void;
  /** Whether files can be hashed, and the server be asked which of them it has. */
  hasLookups: boolean;
  /** `uploadedBefore`: those that an earlier batch has uploaded, which are looked up. */
  add: (files: readonly File[], eventId: string | null, uploadedBefore?: ReadonlySet<File>) => void;
  measure: () => Promise<void>;
  /** Tries all failed uploads again, or those of one kind. */
  retry: (failure?: FailureKind) => void;
  remove: (id: string) => void;
  pause: () => void;
  /** Starts nothing until `resume`: what is added next is more than the credit covers. */
  holdForCredit: () => void;
  resume: () => void;
  /** Says whether the files in question take the place of the photos of their names. */
  decideVersions: (replace: boolean) => void;
  /** Aborts all transfers and removes all items. */
  clear: () => void;
}

const verificationDelay = 2000;
/** Files that are enqueued at once; the page can render between two chunks. */
const enqueueChunkSize = 100;
/** Milliseconds between two notifications of transfer updates: three transfers report hundreds of times per second. */
const notifyInterval = 100;

const longestPause = 60_000;

/** Milliseconds before the next attempt after this many failures of the connection. */
const pauseAfter = (failures: number): number => Math.min(longestPause, 1000 * 2 ** failures);

let lastNumber = 0;
const nextId = () => `upload-${(lastNumber += 1)}`;

const isTransferUpdate = ({ kind }: QueueAction) =>
  kind === 'progressed' || kind === 'settled' || kind === 'lookedUp' || kind === 'lookupSkipped';

/** Runs the queue: starts uploads, verifies unknown outcomes, and notifies when a batch is finished. */
export function createUploader(ports: UploaderPorts): Uploader {
  let queue: Queue = emptyQueue;
  const listeners = new Set<() => void>();
  const finishListeners = new Set<(tally: QueueStats) => void>();
  const transfers = new Map<string, AbortController>();
  const retryTimers = new Map<string, ReturnType<typeof setTimeout>>();
  let holdTimer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented by `clear`, so that a drop that is still being enqueued stops. */
  let generation = 0;
  let reconnection: Promise<void> | null = null;
  let reconnectionController = new AbortController();
  let notifyTimer: ReturnType<typeof setTimeout> | undefined;

  const lookups = ports.lookups == null ? null : createLookups(ports.lookups, () => queue, dispatch);

  const versions =
    ports.versions && createVersionLookups(ports.versions, () => queue, dispatch, waitForServer);

  function notifyListeners(): void {
    clearTimeout(notifyTimer);
    notifyTimer = undefined;
    for (const listener of listeners) listener();
  }

  function dispatch(action: QueueAction): void {
    const wasUploading = isUploading(queue);
    queue = queueReducer(queue, action);
    const items = itemsToStart(queue);
    if (items.length > 0) queue = queueReducer(queue, { kind: 'started', ids: items.map(({ id }) => id) });
    for (const item of items) void startTransfer(item);
    scheduleEndOfHold();
    if (action.kind !== 'progressed') {
      versions?.advance();
      lookups?.advance();
    }
    if (isTransferUpdate(action) && isUploading(queue))
      notifyTimer ??= setTimeout(notifyListeners, notifyInterval);
    else notifyListeners();
    if (wasUploading && isFinished(queue) && action.kind !== 'removed') {
      for (const listener of finishListeners) listener(queueStats(queue));
    }
  }

  function scheduleEndOfHold(): void {
    if (!queue.held) {
      clearTimeout(holdTimer);
      holdTimer = undefined;
    } else {
      holdTimer ??= setTimeout(
        () => {
          holdTimer = undefined;
          dispatch({ kind: 'holdEnded' });
        },
        pauseAfter(queue.failuresInRow - parallelUploads + 1),
      );
    }
  }

  /** Schedules the next attempt of an item whose upload the connection has failed. */
  function scheduleRetry(id: string): void {
    const item = queue.items.find((each) => each.id === id);
    if (item?.failure !== 'connection') return;
    const retry = () => {
      retryTimers.delete(id);
      dispatch({ kind: 'retryDue', id });
    };
    retryTimers.set(id, setTimeout(retry, pauseAfter(item.attempts)));
  }

  function cancelRetry(id: string): void {
    clearTimeout(retryTimers.get(id));
    retryTimers.delete(id);
  }

  async function startTransfer(item: QueueItem): Promise<void> {
    cancelRetry(item.id);
    const controller = new AbortController();
    transfers.set(item.id, controller);
    const { signal } = controller;
    const outcome = await ports.upload(
      item,
      (fraction) => {
        if (!signal.aborted) dispatch({ kind: 'progressed', id: item.id, fraction });
      },
      signal,
    );
    if (signal.aborted) return;
    dispatch({ kind: 'settled', id: item.id, outcome });
    if (outcome.kind === 'unknown') await verify(item, signal);
    // Nothing came through at all: the batch waits instead of trying again and again.
    if (outcome.kind === 'cut' && !outcome.reached) await waitForServer();
    if (transfers.get(item.id) !== controller) return;
    transfers.delete(item.id);
    scheduleRetry(item.id);
  }

  async function verify(item: QueueItem, signal: AbortSignal): Promise<void> {
    const isAborted = () => signal.aborted;
    await delay(verificationDelay, signal);
    while (!isAborted()) {
      const result = await ports.findStored(item);
      if (isAborted()) return;
      if (result !== 'unreachable') {
        dispatch({ kind: 'verified', id: item.id, found: result === 'stored' });
        return;
      }
      // The server is unreachable: the batch waits instead of failing file by file.
      await waitForServer();
    }
  }

  /** Stops the queue until the server is reachable again. */
  function waitForServer(): Promise<void> {
    dispatch({ kind: 'disconnected' });
    if (reconnection === null) {
      reconnectionController = new AbortController();
      reconnection = ports.waitUntilReachable(reconnectionController.signal).then(() => {
        reconnection = null;
        dispatch({ kind: 'reconnected' });
      });
    }
    return reconnection;
  }

  async function measure(): Promise<void> {
    dispatch({ kind: 'measured', speed: await ports.measure() });
  }

  interface Drop {
    files: readonly File[];
    eventId: string | null;
    uploadedBefore: ReadonlySet<File> | undefined;
    lookUp: boolean;
    askNames: boolean;
    generation: number;
  }

  function enqueue(drop: Drop, from = 0): void {
    if (drop.generation !== generation) return;
    const { eventId, lookUp, askNames } = drop;
    const files = drop.files.slice(from, from + enqueueChunkSize).map((file) => ({
      id: nextId(),
      file,
      uploadedBefore: drop.uploadedBefore?.has(file) === true,
    }));
    dispatch({ kind: 'enqueued', files, eventId, lookUp, askNames, continues: from > 0 });
    const next = from + enqueueChunkSize;
    if (next < drop.files.length) setTimeout(() => enqueue(drop, next));
  }

  return {
    getSnapshot: () => queue,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onBatchFinished(listener) {
      finishListeners.add(listener);
      return () => finishListeners.delete(listener);
    },
    hasLookups: lookups !== null,
    add(files, eventId, uploadedBefore) {
      if (files.length === 0) return;
      // A new batch measures the connection first. Its files are listed at once.
      if (!isUploading(queue)) {
        dispatch({ kind: 'measuring' });
        void measure();
      }
      const mayHave = (about: { mayHavePhotos: (eventId: string | null) => boolean } | null | undefined) =>
        about != null && (queue.items.length > 0 || about.mayHavePhotos(eventId));
      const [lookUp, askNames] = [mayHave(ports.lookups), mayHave(ports.versions)];
      dispatch({ kind: 'announced', files: files.length });
      enqueue({ files, eventId, uploadedBefore, lookUp, askNames, generation });
    },
    measure,
    retry: (failure) => dispatch({ kind: 'retried', ...(failure && { failure }) }),
    remove(id) {
      cancelRetry(id);
      transfers.get(id)?.abort();
      transfers.delete(id);
      dispatch({ kind: 'removed', id });
    },
    pause: () => dispatch({ kind: 'paused' }),
    holdForCredit: () => dispatch({ kind: 'heldForCredit' }),
    resume: () => dispatch({ kind: 'resumed' }),
    decideVersions: (replace) => dispatch({ kind: 'versionsDecided', replace }),
    clear() {
      for (const controller of transfers.values()) controller.abort();
      transfers.clear();
      for (const id of retryTimers.keys()) cancelRetry(id);
      reconnectionController.abort();
      generation += 1;
      lookups?.clear();
      versions?.clear();
      dispatch({ kind: 'cleared' });
    },
  };
}
