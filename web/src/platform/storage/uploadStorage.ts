import { defineStoredValue, parseJson } from './storage';

/** A file of an upload batch, identified by its name, size and modification time. */
export interface BatchFile {
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
  /** `refused`: the server will not take it, so that it is not missing. */
  state: 'missing' | 'done' | 'refused';
}

/** An upload batch that was not finished when it was last saved. */
export interface UnfinishedBatch {
  eventId: string;
  files: readonly BatchFile[];
}

/** A state is stored as its index. */
const fileStates: readonly BatchFile['state'][] = ['missing', 'done', 'refused'];

// A batch has thousands of files: each is serialized as an array of four, not as an object.
const serializeBatches = (batches: readonly UnfinishedBatch[]): string =>
  JSON.stringify(
    batches.map(({ eventId, files }) => [
      eventId,
      files.map((file) => [file.name, file.size, file.modified, fileStates.indexOf(file.state)]),
    ]),
  );

function parseBatches(text: string): readonly UnfinishedBatch[] | null {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return null;
  const batches = (parsed as unknown[]).map(parseBatch);
  return batches.every((batch) => batch !== null) ? batches : null;
}

function parseBatch(batch: unknown): UnfinishedBatch | null {
  if (!Array.isArray(batch)) return null;
  const [eventId, rows] = batch as unknown[];
  if (typeof eventId !== 'string' || !Array.isArray(rows)) return null;
  const files: BatchFile[] = [];
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row)) return null;
    const [name, size, modified, state] = row as unknown[];
    if (typeof name !== 'string' || typeof size !== 'number' || typeof modified !== 'number') return null;
    files.push({ name, size, modified, state: fileStates[Number(state)] ?? 'missing' });
  }
  return { eventId, files };
}

/** Unfinished upload batches, one per event, so that they can be resumed after the page was closed. */
export const storedBatches = defineStoredValue<readonly UnfinishedBatch[]>({
  key: 'unfinishedUploads',
  area: 'localStorage',
  parse: parseBatches,
  serialize: serializeBatches,
  removeInvalid: true,
});
