import { type BatchFile, storedBatches, type UnfinishedBatch } from '../../shared/storage';
import type { Queue } from './queue';

/** What a batch leaves behind when its page is closed, and how files that are chosen again fit into it. */

/** A file as the browser describes it: neither bytes nor path, but nothing else survives a reload. */
type Described = Pick<File, 'name' | 'size' | 'lastModified'>;

const keyOf = (name: string, size: number, modified: number) => `${size} ${modified} ${name}`;
const keyOfFile = ({ name, size, lastModified }: Described) => keyOf(name, size, lastModified);
const keyOfEntry = ({ name, size, modified }: BatchFile) => keyOf(name, size, modified);

/** The batch of the queue, together with what an earlier part of it has done; null when nothing of it is missing. */
export function unfinishedOf({ items }: Queue, earlier: readonly BatchFile[]): UnfinishedBatch | null {
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

/** Batches that are kept: an evening's names take some hundred kilobytes, and a browser has a few thousand. */
const batchesKept = 5;

/** The unfinished batch of an event. */
export const rememberedBatch = (eventId: string | undefined): UnfinishedBatch | null =>
  storedBatches.read()?.find((batch) => batch.eventId === eventId) ?? null;

/** Keeps an event's batch, and those of other events as long as there is room, the latest first. */
export function rememberBatch(batch: UnfinishedBatch): void {
  const others = (storedBatches.read() ?? []).filter(({ eventId }) => eventId !== batch.eventId);
  for (let kept = batchesKept - 1; kept >= 0; kept -= 1) {
    if (storedBatches.write([batch, ...others.slice(0, kept)])) return;
  }
}

export function forgetBatch(eventId: string): void {
  const others = (storedBatches.read() ?? []).filter((batch) => batch.eventId !== eventId);
  if (others.length > 0) storedBatches.write(others);
  else storedBatches.remove();
}

export const missingIn = ({ files }: UnfinishedBatch): number => files.filter(({ done }) => !done).length;

export const doneIn = ({ files }: UnfinishedBatch): BatchFile[] => files.filter(({ done }) => done);

/** Tells what is still to send of files that were chosen again: what the batch has done need not travel twice. */
export function splitChosen<T extends Described>(
  batch: UnfinishedBatch,
  files: readonly T[],
): { toSend: T[]; done: number } {
  const done = new Set(doneIn(batch).map(keyOfEntry));
  const toSend = files.filter((file) => !done.has(keyOfFile(file)));
  return { toSend, done: files.length - toSend.length };
}
