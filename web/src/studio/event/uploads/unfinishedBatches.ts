import { type BatchFile, storedBatches, type UnfinishedBatch } from '../../../platform/storage/uploadStorage';
import { pathOf } from './folders';
import type { QueueItem } from './queue';
import { isExpectedThere } from './queueHolds';

/** Batches that were interrupted when the page was closed, and how files that are selected again are matched to them. */

/** The properties that identify a file across reloads: the browser does not expose its path. */
type FileDescription = Pick<File, 'name' | 'size' | 'lastModified'>;

const keyOf = (name: string, size: number, modified: number) => `${size} ${modified} ${name}`;
export const keyOfFile = ({ name, size, lastModified }: FileDescription): string =>
  keyOf(name, size, lastModified);
export const keyOfEntry = ({ name, size, modified }: BatchFile): string => keyOf(name, size, modified);

/** The same with the folders of a file, as far as they are known: two of them may have files that are alike in all else. */
export const keyWithFolder = (file: File): string =>
  keyOfFile({ name: pathOf(file), size: file.size, lastModified: file.lastModified });

/** What a file has in common with itself under another date. */
export const keyWithoutDate = ({ name, size }: Pick<File, 'name' | 'size'>): string => `${size} ${name}`;

function stateOf(item: QueueItem): BatchFile['state'] {
  const { status, failure } = item;
  if (status === 'success' || isExpectedThere(item)) return 'done';
  // What the server has refused is not missing: choosing it again would not change the answer.
  return failure === 'photo' ? 'refused' : 'missing';
}

export const entryOfFile = ({ name, size, lastModified }: FileDescription): BatchFile => ({
  name,
  size,
  modified: lastModified,
  state: 'missing',
});

export const entryOfItem = (item: QueueItem): BatchFile => ({
  name: item.filename,
  size: item.size,
  modified: item.file.lastModified,
  state: stateOf(item),
});

export const isMissing = ({ state }: BatchFile): boolean => state === 'missing';

/** The names of a large batch take some hundred kilobytes, and local storage has about five megabytes. */
const maxStoredBatches = 5;

/** The stored batch of an event. */
export const loadBatch = (eventId: string): UnfinishedBatch | null =>
  storedBatches.read()?.find((batch) => batch.eventId === eventId) ?? null;

/**
 * Stores a batch as the latest one, and as many batches of other events as the quota allows. If it allows less than the
 * batch itself, the files that are missing are what has to be kept.
 */
export function saveBatch(batch: UnfinishedBatch): void {
  const others = (storedBatches.read() ?? []).filter(({ eventId }) => eventId !== batch.eventId);
  for (let kept = maxStoredBatches - 1; kept >= 0; kept -= 1) {
    if (storedBatches.write([batch, ...others.slice(0, kept)])) return;
  }
  storedBatches.write([{ ...batch, files: batch.files.filter(isMissing) }]);
}

export function deleteBatch(eventId: string): void {
  const stored = storedBatches.read() ?? [];
  const others = stored.filter((batch) => batch.eventId !== eventId);
  if (others.length > 0) storedBatches.write(others);
  else if (stored.length > 0) storedBatches.remove();
}
