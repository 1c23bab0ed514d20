import type { UploadOutcome } from '../../shared/api/upload';

/** The upload queue as a pure state machine: it knows no browser, no clock and no server. */

export type ConnectionSpeed = 'unknown' | 'fast' | 'medium' | 'slow';
export type UploadStatus = 'pending' | 'uploading' | 'verifying' | 'success' | 'error';

export interface QueueItem {
  id: string;
  file: File;
  filename: string;
  /** Bytes; kept because a browser may ask the disk each time a `File` is asked. */
  size: number;
  eventId: string | null;
  status: UploadStatus;
  /** 0 to 100. */
  progress: number;
  /** Bytes of the file that were sent. */
  sent: number;
  error: string | null;
  /** Found on the server after nobody could say whether it had arrived. */
  verified: boolean;
  /** The server had it already; it cost nothing. */
  duplicate: boolean;
}

export interface Queue {
  items: readonly QueueItem[];
  speed: ConnectionSpeed;
  /** How the running batch is sent; decided when it starts and when files are added. */
  mode: 'single' | 'parallel';
  paused: boolean;
  /** The server refused for want of credit: nothing is sent until the photographer goes on. */
  outOfCredit: boolean;
  /** The server cannot be reached: what is open waits until it can. */
  lost: boolean;
}

export type QueueEvent =
  | {
      kind: 'enqueued';
      files: readonly { id: string; file: File }[];
      eventId: string | null;
      /** The files belong to what was enqueued just before: they came in one drop. */
      continues?: boolean;
    }
  | { kind: 'measured'; speed: ConnectionSpeed }
  | { kind: 'started'; ids: readonly string[] }
  | { kind: 'progressed'; id: string; fraction: number }
  | { kind: 'answered'; id: string; outcome: UploadOutcome }
  | { kind: 'verified'; id: string; found: boolean }
  | { kind: 'retried' }
  | { kind: 'lost' }
  | { kind: 'found' }
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
  lost: false,
};

const isOpen = ({ status }: QueueItem) => status !== 'success' && status !== 'error';
const isRunning = ({ status }: QueueItem) => status === 'uploading' || status === 'verifying';

/** The bytes of all files of the batch that is under way. */
function sizeToSend(items: readonly QueueItem[]): number {
  return items.filter(isOpen).reduce((sum, { size }) => sum + size, 0);
}

export function modeFor(speed: ConnectionSpeed, bytes: number): Queue['mode'] {
  return speed === 'slow' || bytes > singleModeThreshold ? 'single' : 'parallel';
}

const decideMode = (queue: Queue): Queue => ({
  ...queue,
  mode: modeFor(queue.speed, sizeToSend(queue.items)),
});

const change = (queue: Queue, id: string, changed: Partial<QueueItem>): Queue => ({
  ...queue,
  items: queue.items.map((item) => (item.id === id ? { ...item, ...changed } : item)),
});

function afterAnswer(queue: Queue, id: string, outcome: UploadOutcome): Queue {
  switch (outcome.kind) {
    case 'accepted':
      return change(queue, id, { status: 'success', progress: 100, duplicate: outcome.duplicate });
    case 'unknown':
      return change(queue, id, { status: 'verifying', progress: 100 });
    case 'rejected': {
      const refused = change(queue, id, { status: 'error', error: outcome.error ?? failedText });
      return outcome.status === paymentRequired ? { ...refused, outOfCredit: true } : refused;
    }
    case 'aborted':
      // Whoever aborts takes the item out of the queue as well; a stray answer changes nothing.
      return queue;
  }
}

export function advance(queue: Queue, event: QueueEvent): Queue {
  switch (event.kind) {
    case 'enqueued': {
      const added = event.files.map(({ id, file }): QueueItem => ({
        id,
        file,
        filename: file.name,
        size: file.size,
        eventId: event.eventId,
        status: 'pending',
        progress: 0,
        sent: 0,
        error: null,
        verified: false,
        duplicate: false,
      }));
      // A batch that is over makes room for the next one; its failures stay until they are seen to.
      const kept =
        event.continues === true || queue.items.some(isOpen)
          ? queue.items
          : queue.items.filter(({ status }) => status === 'error');
      return decideMode({ ...queue, items: [...kept, ...added] });
    }
    case 'measured':
      return decideMode({ ...queue, speed: event.speed });
    case 'started':
      return {
        ...queue,
        items: queue.items.map((item) =>
          event.ids.includes(item.id)
            ? { ...item, status: 'uploading', progress: 0, sent: 0, error: null }
            : item,
        ),
      };
    case 'progressed': {
      const fraction = Math.min(1, Math.max(0, event.fraction));
      return {
        ...queue,
        items: queue.items.map((item) =>
          item.id === event.id && item.status === 'uploading'
            ? { ...item, progress: Math.floor(fraction * 100), sent: Math.round(fraction * item.size) }
            : item,
        ),
      };
    }
    case 'answered':
      return afterAnswer(queue, event.id, event.outcome);
    case 'verified':
      return event.found
        ? change(queue, event.id, { status: 'success', verified: true })
        : change(queue, event.id, { status: 'error', error: unverifiedText });
    case 'retried':
      return decideMode({
        ...queue,
        outOfCredit: false,
        items: queue.items.map((item) =>
          item.status === 'error' ? { ...item, status: 'pending', progress: 0, sent: 0, error: null } : item,
        ),
      });
    case 'lost':
      return queue.lost ? queue : { ...queue, lost: true };
    case 'found':
      return queue.lost ? { ...queue, lost: false } : queue;
    case 'removed':
      return { ...queue, items: queue.items.filter(({ id }) => id !== event.id) };
    case 'paused':
      return { ...queue, paused: true };
    case 'resumed':
      return { ...queue, paused: false, outOfCredit: false };
    case 'cleared':
      return { ...emptyQueue, speed: queue.speed };
  }
}

/** The items to send now. */
export function nextToSend(queue: Queue): readonly QueueItem[] {
  if (queue.paused || queue.outOfCredit || queue.lost) return [];
  const free = (queue.mode === 'single' ? 1 : parallelUploads) - queue.items.filter(isRunning).length;
  const next: QueueItem[] = [];
  for (const item of queue.items) {
    if (next.length >= free) break;
    if (item.status === 'pending') next.push(item);
  }
  return next;
}

export interface Tally {
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

// One walk: a batch has thousands of items and is counted ten times a second.
export function tally({ items }: Queue): Tally {
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
    counts.bytesDone += isOpen(item) ? item.sent : item.size;
    counts.bytesTotal += item.size;
  }
  const total = items.length;
  const percent = total === 0 ? 0 : Math.round((100 * (counts.completed + counts.failed)) / total);
  return { ...counts, total, percent };
}

/** Whether leaving would lose something: files are on their way or wait for it. */
export const isUploading = (queue: Queue): boolean => queue.items.some(isOpen);

/** Whether a batch is over: there are items and none is open. */
export const isFinished = (queue: Queue): boolean => queue.items.length > 0 && !queue.items.some(isOpen);

/** What the list shows: running first, then waiting, then done; failures have a list of their own. */
export function rowsToShow({ items }: Queue): QueueItem[] {
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
