import { type BatchFile, storedBatches, type UnfinishedBatch } from '../../shared/storage';
import type { Queue } from './queue';

/** Batches that were interrupted when the page was closed, and how files that are selected again are matched to them. */

/** The properties that identify a file across reloads: the browser does not expose its path. */
type FileDescription = Pick<File, 'name' | 'size' | 'lastModified'>;

const keyOf = (name: string, size: number, modified: number) => `${size} ${modified} ${name}`;
const keyOfFile = ({ name, size, lastModified }: FileDescription) => keyOf(name, size, lastModified);
const keyOfEntry = ({ name, size, modified }: BatchFile) => keyOf(name, size, modified);

/** The batch of the queue, including files uploaded in an earlier visit; null if nothing is missing. */
export function toUnfinishedBatch({ items }: Queue, earlier: readonly BatchFile[]): UnfinishedBatch | null {
  const eventId = items[0]?.eventId;
  if (eventId === undefined || eventId === null) return null;
  const files = items.map(({ file, filename, size, status }): BatchFile => ({
    name: filename,
    size,
    modified: file.lastModified,
    done: status === 'success',
  }));
  if (files.every(({ done }) => done)) return null;
  const here = new Set(files.map(keyOfEntry));
  return { eventId, files: [...earlier.filter((file) => !here.has(keyOfEntry(file))), ...files] };
}

/** The names of a large batch take some hundred kilobytes, and local storage has about five megabytes. */
const maxStoredBatches = 5;

/** The stored batch of an event. */
export const loadBatch = (eventId: string | undefined): UnfinishedBatch | null =>
  storedBatches.read()?.find((batch) => batch.eventId === eventId) ?? null;

/** Stores a batch as the latest one, and as many batches of other events as the quota allows. */
export function saveBatch(batch: UnfinishedBatch): void {
  const others = (storedBatches.read() ?? []).filter(({ eventId }) => eventId !== batch.eventId);
  for (let kept = maxStoredBatches - 1; kept >= 0; kept -= 1) {
    if (storedBatches.write([batch, ...others.slice(0, kept)])) return;
  }
}

export function deleteBatch(eventId: string): void {
  const others = (storedBatches.read() ?? []).filter((batch) => batch.eventId !== eventId);
  if (others.length > 0) storedBatches.write(others);
  else storedBatches.remove();
}

export const countMissing = ({ files }: UnfinishedBatch): number => files.filter(({ done }) => !done).length;

export const uploadedFiles = ({ files }: UnfinishedBatch): BatchFile[] => files.filter(({ done }) => done);

/** Splits files that were selected again: those that the batch has already uploaded are skipped. */
export function splitSelectedFiles<T extends FileDescription>(
  batch: UnfinishedBatch,
  files: readonly T[],
): { toUpload: T[]; done: number } {
  const done = new Set(uploadedFiles(batch).map(keyOfEntry));
  const toSend = files.filter((file) => !done.has(keyOfFile(file)));
  return { toUpload: toSend, done: files.length - toSend.length };
}
