import { isRunning, isUnfinished, type Queue, type QueueItem } from './queue';
import { isExpectedThere } from './queueHolds';

/** What the queue is shown as: its counts, and its items in the order of the list. */

export interface QueueStats {
  total: number;
  completed: number;
  failed: number;
  /** Failed for the connection, and tried again after a pause. */
  retrying: number;
  /** Uploading or verifying. */
  running: number;
  waiting: number;
  /** Of those that wait, what an earlier batch has uploaded: it is compared, and does not travel if it is there. */
  compared: number;
  duplicates: number;
  /** (completed + failed) / total, 0 to 100. */
  percent: number;
  /** Of the bytes, 0 to 100; 100 only when every photo is uploaded. */
  percentUploaded: number;
  bytesUploaded: number;
  /** Without those of photos that were there already and did not travel. */
  bytesSent: number;
  /** Bytes of the photos that are not finished, and have to travel. */
  bytesLeft: number;
  bytesTotal: number;
}

// One pass: a batch has thousands of items and is counted ten times per second.
export function queueStats({ items }: Queue): QueueStats {
  const counts = {
    completed: 0,
    failed: 0,
    retrying: 0,
    running: 0,
    waiting: 0,
    compared: 0,
    duplicates: 0,
    bytesUploaded: 0,
    bytesSent: 0,
    bytesLeft: 0,
    bytesTotal: 0,
  };
  for (const item of items) {
    if (item.status === 'success') counts.completed += 1;
    else if (item.status === 'error') counts.failed += 1;
    else if (item.status === 'pending') counts.waiting += 1;
    else counts.running += 1;
    if (item.failure === 'connection') counts.retrying += 1;
    if (item.duplicate) counts.duplicates += 1;
    if (item.status === 'success') counts.bytesUploaded += item.size;
    else if (isRunning(item)) counts.bytesUploaded += item.sent;
    if (item.status === 'success' || isRunning(item)) counts.bytesSent += item.sent;
    if (isExpectedThere(item)) counts.compared += 1;
    else if (isUnfinished(item)) counts.bytesLeft += item.size - item.sent;
    counts.bytesTotal += item.size;
  }
  const total = items.length;
  const percent = total === 0 ? 0 : Math.round((100 * (counts.completed + counts.failed)) / total);
  const share = counts.bytesTotal === 0 ? 0 : counts.bytesUploaded / counts.bytesTotal;
  const allUploaded = total > 0 && counts.completed === total;
  // What was sent is not yet acknowledged.
  const percentUploaded = allUploaded ? 100 : Math.min(99, Math.floor(100 * share));
  return { ...counts, total, percent, percentUploaded };
}

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
