import { t } from '@lingui/core/macro';
import type { UploadOutcome } from '../../../platform/api/upload';
import {
  isHeldForVersions,
  unversioned,
  type Version,
  type Versioned,
  withDecision,
  withVersions,
} from './versions';

/** The upload queue as a pure reducer, without access to the browser, the clock or the server. */

export type ConnectionSpeed = 'unknown' | 'fast' | 'medium' | 'slow';
export type UploadStatus = 'pending' | 'uploading' | 'verifying' | 'success' | 'error';
/** What an upload failed for: `photo` is a refusal of the file itself, `connection` is tried again by itself. */
export type FailureKind = 'photo' | 'credit' | 'connection' | 'other';

export interface QueueItem extends Versioned {
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
  /** Null unless the status is `error`. */
  failure: FailureKind | null;
  /** How often the connection has failed this upload. */
  attempts: number;
  /** Found on the server after an upload with an unknown outcome. */
  verified: boolean;
  /** The server already had the file; it was not charged. */
  duplicate: boolean;
  /** The photo that it is, once it is there and the server has said so. */
  photoId: string | null;
  /** The server is first asked whether it has the file. */
  awaitsLookup: boolean;
  /**
   * An earlier batch has uploaded it: it should be there, unless it was deleted since, and holds up no other file. Its name is
   * asked for only if it is not there.
   */
  uploadedBefore: boolean;
  asksNameLater: boolean;
}

export interface Queue {
  items: readonly QueueItem[];
  speed: ConnectionSpeed;
  /** How the batch is uploaded; decided when it starts and when files are added. */
  mode: 'single' | 'parallel';
  paused: boolean;
  /** The connection is being measured: files are listed, and start when it is known. */
  measuring: boolean;
  /** The server rejected an upload for lack of credits: nothing is uploaded until the photographer resumes. */
  outOfCredit: boolean;
  /** The batch is larger than the credit: nothing is started until the photographer has decided, or the credit covers it. */
  overCredit: boolean;
  /** Files of a drop that are not listed yet. */
  coming: number;
  /** The server is unreachable: unfinished items wait until it is reachable again. */
  disconnected: boolean;
  /** How many uploads in a row the connection has failed. */
  failuresInRow: number;
  /** How many uploads at once the connection carries, by what became of the last ones. */
  lanes: number;
  /** Nothing is started for a while, because the connection has failed several uploads in a row. */
  held: boolean;
  /** The server does not say which files it has: they are uploaded without asking. */
  lookupsStalled: boolean;
}

export type QueueAction =
  | {
      kind: 'enqueued';
      files: readonly { id: string; file: File; uploadedBefore?: boolean }[];
      eventId: string | null;
      /** The server may have some of the files already. */
      lookUp?: boolean;
      /** The server may have photos of the files' names. */
      askNames?: boolean;
      /** The files belong to the batch of the previous action: a later chunk of the same drop. */
      continues?: boolean;
    }
  /** So many files follow, in chunks. */
  | { kind: 'announced'; files: number }
  | { kind: 'heldForCredit' }
  | { kind: 'measuring' }
  | { kind: 'measured'; speed: ConnectionSpeed }
  | { kind: 'started'; ids: readonly string[] }
  | { kind: 'progressed'; id: string; fraction: number }
  | { kind: 'settled'; id: string; outcome: UploadOutcome }
  | { kind: 'verified'; id: string; found: boolean }
  /** The server has said which photos these items' files are, if it has them. */
  | { kind: 'lookedUp'; photos: ReadonlyMap<string, string | null> }
  | { kind: 'lookupsFailed' }
  /** The server has said which photos have these items' names. */
  | { kind: 'named'; versions: ReadonlyMap<string, Version | null> }
  /** The photographer has said whether versions take the place of the photos of their names. */
  | { kind: 'versionsDecided'; replace: boolean }
  /** The item is uploaded without asking whether the server has it. */
  | { kind: 'lookupSkipped'; id: string }
  /** All failed items, or those of one kind, wait again. */
  | { kind: 'retried'; failure?: FailureKind }
  /** The pause after a failure of the connection is over. */
  | { kind: 'retryDue'; id: string }
  | { kind: 'holdEnded' }
  | { kind: 'disconnected' }
  | { kind: 'reconnected' }
  | { kind: 'removed'; id: string }
  | { kind: 'paused' }
  | { kind: 'resumed' }
  | { kind: 'cleared' };

export const singleModeThreshold = 31_457_280;
export const parallelUploads = 3;
const unverifiedText = () =>
  t`Upload timed out and could not be verified. Please check if the photo was uploaded successfully.`;

export const emptyQueue: Queue = {
  items: [],
  speed: 'unknown',
  mode: 'parallel',
  paused: false,
  measuring: false,
  outOfCredit: false,
  overCredit: false,
  coming: 0,
  disconnected: false,
  failuresInRow: 0,
  lanes: parallelUploads,
  held: false,
  lookupsStalled: false,
};

/** Whether the item still gets to an end by itself: it runs, waits, or is tried again after a pause. */
export const isUnfinished = ({ status, failure }: QueueItem): boolean =>
  status === 'error' ? failure === 'connection' : status !== 'success';
export const isRunning = ({ status }: QueueItem): boolean => status === 'uploading' || status === 'verifying';

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

function failureOf(status: number): FailureKind {
  if (status === 402) return 'credit';
  if (status === 502 || status === 503) return 'connection';
  return [400, 413, 415, 422].includes(status) ? 'photo' : 'other';
}

/** An answer proves that the server is there, whatever it says. */
const withAnswer = (queue: Queue): Queue =>
  queue.failuresInRow === 0 ? queue : { ...queue, failuresInRow: 0, held: false };

const withMoreLanes = (queue: Queue): Queue => ({
  ...queue,
  lanes: Math.min(parallelUploads, queue.lanes + 1),
});

function withFailure(queue: Queue, id: string, failure: FailureKind, error: string): Queue {
  if (failure !== 'connection') return updateItem(withAnswer(queue), id, { status: 'error', error, failure });
  const failuresInRow = queue.failuresInRow + 1;
  return {
    ...queue,
    failuresInRow,
    // A line that fails one of several carries one surely; each that arrives adds another.
    lanes: 1,
    held: failuresInRow >= parallelUploads,
    items: queue.items.map((item) =>
      item.id === id ? { ...item, status: 'error', error, failure, attempts: item.attempts + 1 } : item,
    ),
  };
}

function withOutcome(queue: Queue, id: string, outcome: UploadOutcome): Queue {
  switch (outcome.kind) {
    case 'accepted':
      return updateItem(withMoreLanes(withAnswer(queue)), id, {
        status: 'success',
        progress: 100,
        sent: queue.items.find((item) => item.id === id)?.size ?? 0,
        duplicate: outcome.duplicate,
        photoId: outcome.photoId ?? null,
      });
    case 'unknown':
      return updateItem(queue, id, { status: 'verifying', progress: 100 });
    case 'cut': {
      // What has arrived stays there: an attempt that brought something on is no failure in a row.
      const before = outcome.moved ? updateItem(withAnswer(queue), id, { attempts: 0 }) : queue;
      return withFailure(before, id, 'connection', t`Upload failed`);
    }
    case 'rejected': {
      const failure = failureOf(outcome.status);
      const refused = withFailure(queue, id, failure, outcome.error ?? t`Upload failed`);
      return failure === 'credit' ? { ...refused, outOfCredit: true } : refused;
    }
    case 'aborted':
      // The caller that aborts also removes the item, so that there is nothing to change.
      return queue;
  }
}

const waiting = { status: 'pending', progress: 0, sent: 0, error: null, failure: null } as const;
const emptyFile = () =>
  ({
    ...waiting,
    status: 'error',
    error: t`This file is empty (0 bytes). Copy it from the card again.`,
    failure: 'photo',
  }) as const;

/** What is known without its lookup: its name is asked for before it travels. */
const afterLookup = (item: QueueItem): QueueItem => ({
  ...item,
  awaitsLookup: false,
  awaitsName: item.awaitsName || (item.asksNameLater && !isRunning(item)),
  asksNameLater: false,
});

/** Items whose file is on the server need no upload, unless one is under way. */
function withLookups(queue: Queue, photos: ReadonlyMap<string, string | null>): Queue {
  return {
    ...queue,
    lookupsStalled: false,
    items: queue.items.map((item) => {
      const photoId = photos.get(item.id);
      if (photoId === undefined) return item;
      if (photoId === null || isRunning(item)) return afterLookup(item);
      const there = { status: 'success', progress: 100, duplicate: true, photoId } as const;
      return { ...item, awaitsLookup: false, ...waiting, ...there };
    }),
  };
}

const waitingAgain = (item: QueueItem): QueueItem => ({ ...item, ...waiting });

export function queueReducer(queue: Queue, action: QueueAction): Queue {
  const next = reduce(queue, action);
  // A batch of which nothing is left holds up no later one.
  const isOver = next.overCredit && unfinishedFiles(next) === 0 && unfinishedFiles(queue) > 0;
  return isOver ? { ...next, overCredit: false } : next;
}

function reduce(queue: Queue, action: QueueAction): Queue {
  switch (action.kind) {
    case 'enqueued': {
      const added = action.files.map(({ id, file, uploadedBefore = false }): QueueItem => ({
        id,
        file,
        filename: file.name,
        size: file.size,
        eventId: action.eventId,
        ...(file.size === 0 ? emptyFile() : waiting),
        attempts: 0,
        verified: false,
        duplicate: false,
        photoId: null,
        awaitsLookup: (action.lookUp === true || uploadedBefore) && file.size > 0,
        uploadedBefore,
        ...unversioned,
        awaitsName: action.askNames === true && !uploadedBefore && file.size > 0,
        asksNameLater: action.askNames === true && uploadedBefore && file.size > 0,
      }));
      // A finished batch is replaced by the next one, except for its failed items.
      const kept =
        action.continues === true || queue.items.some(isUnfinished)
          ? queue.items
          : queue.items.filter(({ status }) => status === 'error');
      const coming = Math.max(0, queue.coming - added.length);
      return withUploadMode({ ...queue, coming, items: [...kept, ...added] });
    }
    case 'announced':
      return { ...queue, coming: queue.coming + action.files };
    case 'heldForCredit':
      return { ...queue, overCredit: true };
    case 'measuring':
      return { ...queue, measuring: true };
    case 'measured':
      return withUploadMode({ ...queue, speed: action.speed, measuring: false });
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
        ? updateItem(withAnswer(queue), action.id, { status: 'success', verified: true })
        : withFailure(queue, action.id, 'connection', unverifiedText());
    case 'lookedUp':
      return withLookups(queue, action.photos);
    case 'named':
      return { ...queue, items: withVersions(queue.items, action.versions) };
    case 'versionsDecided':
      return { ...queue, items: withDecision(queue, action.replace) };
    case 'lookupsFailed':
      return { ...queue, lookupsStalled: true };
    case 'lookupSkipped':
      return {
        ...queue,
        items: queue.items.map((item) => (item.id === action.id ? afterLookup(item) : item)),
      };
    case 'retried':
      return withUploadMode({
        ...withAnswer(queue),
        outOfCredit: false,
        items: queue.items.map((item) =>
          item.status === 'error' && (action.failure ?? item.failure) === item.failure
            ? waitingAgain(item)
            : item,
        ),
      });
    case 'retryDue':
      return {
        ...queue,
        items: queue.items.map((item) =>
          item.id === action.id && item.failure === 'connection' ? waitingAgain(item) : item,
        ),
      };
    case 'holdEnded':
      return { ...queue, held: false };
    case 'disconnected':
      return queue.disconnected ? queue : { ...queue, disconnected: true };
    case 'reconnected':
      return queue.disconnected ? { ...withAnswer(queue), disconnected: false } : queue;
    case 'removed':
      return { ...queue, items: queue.items.filter(({ id }) => id !== action.id) };
    case 'paused':
      return { ...queue, paused: true };
    case 'resumed':
      return { ...queue, paused: false, outOfCredit: false, overCredit: false };
    case 'cleared':
      return { ...emptyQueue, speed: queue.speed };
  }
}

/** How many uploads may run at once: one after failures in a row, to ask whether the server is back. */
function capacityOf({ mode, failuresInRow, lanes }: Queue): number {
  return mode === 'single' || failuresInRow >= parallelUploads ? 1 : lanes;
}

/** The items that can be started now; those that have failed least often first, so that no photo blocks the others. */
export function itemsToStart(queue: Queue): readonly QueueItem[] {
  if (queue.paused || queue.measuring || queue.disconnected || queue.held) return [];
  if (queue.outOfCredit || queue.overCredit || isHeldForVersions(queue)) return [];
  const free = capacityOf(queue) - queue.items.filter(isRunning).length;
  if (free <= 0) return [];
  const pending = queue.items.filter(
    ({ status, awaitsLookup, uploadedBefore }) =>
      status === 'pending' && (!awaitsLookup || (queue.lookupsStalled && !uploadedBefore)),
  );
  return pending.sort((one, other) => one.attempts - other.attempts).slice(0, free);
}

/** How many files have no end yet, those that are not listed yet too. */
export const unfinishedFiles = ({ items, coming }: Queue): number =>
  items.filter(isUnfinished).length + coming;

/** Whether there are items that get to an end by themselves. */
export const isUploading = (queue: Queue): boolean => queue.items.some(isUnfinished);

/** Whether there are items and all are finished. */
export const isFinished = (queue: Queue): boolean =>
  queue.items.length > 0 && !queue.items.some(isUnfinished);
