import type { UploadOutcome } from '../../shared/api/upload';

/** The upload queue as a pure reducer, without access to the browser, the clock or the server. */

export type ConnectionSpeed = 'unknown' | 'fast' | 'medium' | 'slow';
export type UploadStatus = 'pending' | 'uploading' | 'verifying' | 'success' | 'error';

export interface QueueItem {
  id: string;
  file: File;
  filename: string;
  /** Bytes; cached, because a browser may access the disk each time `File.size` is read. */
  size: number;
  eventId: string | null;
  status: UploadStatus;
  /** 0 to 100. */
  progress: number;
  /** Bytes of the file sent so far. */
  sent: number;
  error: string | null;
  /** Found on the server after an upload with an unknown outcome. */
  verified: boolean;
  /** The server already had the file; it was not charged. */
  duplicate: boolean;
}

export interface Queue {
  items: readonly QueueItem[];
  speed: ConnectionSpeed;
  /** How the batch is uploaded; decided when it starts and when files are added. */
  mode: 'single' | 'parallel';
  paused: boolean;
  /** The server rejected an upload for lack of credits: nothing is uploaded until the photographer resumes. */
  outOfCredit: boolean;
  /** The server is unreachable: unfinished items wait until it is reachable again. */
  disconnected: boolean;
}

export type QueueAction =
  | {
      kind: 'enqueued';
      files: readonly { id: string; file: File }[];
      eventId: string | null;
      /** The files belong to the batch of the previous action: a later chunk of the same drop. */
      continues?: boolean;
    }
  | { kind: 'measured'; speed: ConnectionSpeed }
  | { kind: 'started'; ids: readonly string[] }
  | { kind: 'progressed'; id: string; fraction: number }
  | { kind: 'settled'; id: string; outcome: UploadOutcome }
  | { kind: 'verified'; id: string; found: boolean }
  | { kind: 'retried' }
  | { kind: 'disconnected' }
  | { kind: 'reconnected' }
  | { kind: 'removed'; id: string }
  | { kind: 'paused' }
  | { kind: 'resumed' }
  | { kind: 'cleared' };

export const singleModeThreshold = 31_457_280;
export const parallelUploads = 3;
export const unverifiedText =
  'Upload timed out and could not be verified. Please check if the photo was uploaded successfully.';
const failedText = 'Upload failed';
const paymentRequired = 402;

export const emptyQueue: Queue = {
  items: [],
  speed: 'unknown',
  mode: 'parallel',
  paused: false,
  outOfCredit: false,
  disconnected: false,
};

const isUnfinished = ({ status }: QueueItem) => status !== 'success' && status !== 'error';
const isRunning = ({ status }: QueueItem) => status === 'uploading' || status === 'verifying';

/** The total bytes of all unfinished items. */
function unfinishedBytes(items: readonly QueueItem[]): number {
  return items.filter(isUnfinished).reduce((sum, { size }) => sum + size, 0);
}

export function uploadModeFor(speed: ConnectionSpeed, bytes: number): Queue['mode'] {
  return speed === 'slow' || bytes > singleModeThreshold ? 'single' : 'parallel';
}

const withUploadMode = (queue: Queue): Queue => ({
  ...queue,
  mode: uploadModeFor(queue.speed, unfinishedBytes(queue.items)),
});

const updateItem = (queue: Queue, id: string, changed: Partial<QueueItem>): Queue => ({
  ...queue,
  items: queue.items.map((item) => (item.id === id ? { ...item, ...changed } : item)),
});

function withOutcome(queue: Queue, id: string, outcome: UploadOutcome): Queue {
  switch (outcome.kind) {
    case 'accepted':
      return updateItem(queue, id, { status: 'success', progress: 100, duplicate: outcome.duplicate });
    case 'unknown':
      return updateItem(queue, id, { status: 'verifying', progress: 100 });
    case 'rejected': {
      const refused = updateItem(queue, id, { status: 'error', error: outcome.error ?? failedText });
      return outcome.status === paymentRequired ? { ...refused, outOfCredit: true } : refused;
    }
    case 'aborted':
      // The caller that aborts also removes the item, so that there is nothing to change.
      return queue;
  }
}

export function queueReducer(queue: Queue, action: QueueAction): Queue {
  switch (action.kind) {
    case 'enqueued': {
      const added = action.files.map(({ id, file }): QueueItem => ({
        id,
        file,
        filename: file.name,
        size: file.size,
        eventId: action.eventId,
        status: 'pending',
        progress: 0,
        sent: 0,
        error: null,
        verified: false,
        duplicate: false,
      }));
      // A finished batch is replaced by the next one, except for its failed items.
      const kept =
        action.continues === true || queue.items.some(isUnfinished)
          ? queue.items
          : queue.items.filter(({ status }) => status === 'error');
      return withUploadMode({ ...queue, items: [...kept, ...added] });
    }
    case 'measured':
      return withUploadMode({ ...queue, speed: action.speed });
    case 'started':
      return {
        ...queue,
        items: queue.items.map((item) =>
          action.ids.includes(item.id)
            ? { ...item, status: 'uploading', progress: 0, sent: 0, error: null }
            : item,
        ),
      };
    case 'progressed': {
      const fraction = Math.min(1, Math.max(0, action.fraction));
      return {
        ...queue,
        items: queue.items.map((item) =>
          item.id === action.id && item.status === 'uploading'
            ? { ...item, progress: Math.floor(fraction * 100), sent: Math.round(fraction * item.size) }
            : item,
        ),
      };
    }
    case 'settled':
      return withOutcome(queue, action.id, action.outcome);
    case 'verified':
      return action.found
        ? updateItem(queue, action.id, { status: 'success', verified: true })
        : updateItem(queue, action.id, { status: 'error', error: unverifiedText });
    case 'retried':
      return withUploadMode({
        ...queue,
        outOfCredit: false,
        items: queue.items.map((item) =>
          item.status === 'error' ? { ...item, status: 'pending', progress: 0, sent: 0, error: null } : item,
        ),
      });
    case 'disconnected':
      return queue.disconnected ? queue : { ...queue, disconnected: true };
    case 'reconnected':
      return queue.disconnected ? { ...queue, disconnected: false } : queue;
    case 'removed':
      return { ...queue, items: queue.items.filter(({ id }) => id !== action.id) };
    case 'paused':
      return { ...queue, paused: true };
    case 'resumed':
      return { ...queue, paused: false, outOfCredit: false };
    case 'cleared':
      return { ...emptyQueue, speed: queue.speed };
  }
}

/** The items that can be started now. */
export function itemsToStart(queue: Queue): readonly QueueItem[] {
  if (queue.paused || queue.outOfCredit || queue.disconnected) return [];
  const free = (queue.mode === 'single' ? 1 : parallelUploads) - queue.items.filter(isRunning).length;
  const next: QueueItem[] = [];
  for (const item of queue.items) {
    if (next.length >= free) break;
    if (item.status === 'pending') next.push(item);
  }
  return next;
}

export interface QueueStats {
  total: number;
  completed: number;
  failed: number;
  /** Uploading or verifying. */
  running: number;
  waiting: number;
  duplicates: number;
  /** (completed + failed) / total, 0 to 100. */
  percent: number;
  bytesDone: number;
  bytesTotal: number;
}

// One pass: a batch has thousands of items and is counted ten times per second.
export function queueStats({ items }: Queue): QueueStats {
  const counts = {
    completed: 0,
    failed: 0,
    running: 0,
    waiting: 0,
    duplicates: 0,
    bytesDone: 0,
    bytesTotal: 0,
  };
  for (const item of items) {
    if (item.status === 'success') counts.completed += 1;
    else if (item.status === 'error') counts.failed += 1;
    else if (item.status === 'pending') counts.waiting += 1;
    else counts.running += 1;
    if (item.duplicate) counts.duplicates += 1;
    counts.bytesDone += isUnfinished(item) ? item.sent : item.size;
    counts.bytesTotal += item.size;
  }
  const total = items.length;
  const percent = total === 0 ? 0 : Math.round((100 * (counts.completed + counts.failed)) / total);
  return { ...counts, total, percent };
}

/** Whether there are items that are running or waiting. */
export const isUploading = (queue: Queue): boolean => queue.items.some(isUnfinished);

/** Whether there are items and all are finished. */
export const isFinished = (queue: Queue): boolean =>
  queue.items.length > 0 && !queue.items.some(isUnfinished);

/** The items of the list: running first, then waiting, then done. Failed items are in a separate list. */
export function visibleItems({ items }: Queue): QueueItem[] {
  const running: QueueItem[] = [];
  const waiting: QueueItem[] = [];
  const done: QueueItem[] = [];
  for (const item of items) {
    if (isRunning(item)) running.push(item);
    else if (item.status === 'pending') waiting.push(item);
    else if (item.status === 'success') done.push(item);
  }
  return [...running, ...waiting, ...done];
}
