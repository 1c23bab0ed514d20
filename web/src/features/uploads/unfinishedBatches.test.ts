import { describe, expect, it, vi } from 'vitest';
import { storedBatches } from '../../shared/storage';
import { emptyQueue, queueReducer } from './queue';
import {
  countMissing,
  deleteBatch,
  loadBatch,
  saveBatch,
  splitSelectedFiles,
  toUnfinishedBatch,
  uploadedFiles,
} from './unfinishedBatches';

const file = (name: string, lastModified = 1) => new File(['x'], name, { lastModified });
const queueOf = (...names: string[]) =>
  queueReducer(emptyQueue, {
    kind: 'enqueued',
    eventId: 'e1',
    files: names.map((name) => ({ id: name, file: file(name) })),
  });
const markUploaded = (queue: ReturnType<typeof queueOf>, id: string) =>
  queueReducer(queue, { kind: 'verified', id, found: true });

describe('an unfinished batch', () => {
  it('has uploaded and missing files, and can be stored and loaded', () => {
    const batch = toUnfinishedBatch(markUploaded(queueOf('a', 'b', 'c'), 'a'), []);
    expect(batch).not.toBeNull();
    if (batch === null) return;
    saveBatch(batch);
    expect(loadBatch('e1')).toEqual(batch);
    expect(loadBatch('e2')).toBeNull();
    expect(countMissing(batch)).toBe(2);
    expect(uploadedFiles(batch).map(({ name }) => name)).toEqual(['a']);
  });

  it('is stored with those of other events, the latest five or as many as the quota allows', () => {
    const batch = (eventId: string) => ({
      eventId,
      files: [{ name: 'a', size: 1, modified: 1, done: false }],
    });
    const kept = () => storedBatches.read()?.map(({ eventId }) => eventId);
    for (const event of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e4']) saveBatch(batch(event));
    expect(kept()).toEqual(['e4', 'e6', 'e5', 'e3', 'e2']);
    deleteBatch('e6');
    expect(kept()).toEqual(['e4', 'e5', 'e3', 'e2']);

    const setItem = localStorage.setItem.bind(localStorage);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation((key, text) => {
      if (text.length > 60) throw new DOMException('full', 'QuotaExceededError');
      setItem(key, text);
    });
    saveBatch(batch('e7'));
    expect(kept()).toEqual(['e7', 'e4']);
    for (const event of ['e7', 'e4']) deleteBatch(event);
    expect(storedBatches.read()).toBeNull();
  });

  it('is null when everything is uploaded, or nothing was queued', () => {
    expect(toUnfinishedBatch(markUploaded(queueOf('a'), 'a'), [])).toBeNull();
    expect(toUnfinishedBatch(emptyQueue, [])).toBeNull();
  });

  it('skips uploaded files, but not another file of the same name', () => {
    const batch = toUnfinishedBatch(markUploaded(queueOf('a', 'b'), 'a'), []);
    if (batch === null) throw new Error('nothing is missing');
    const again = [file('a'), file('b'), file('a', 2), file('new')];
    const { toUpload, done } = splitSelectedFiles(batch, again);
    expect(toUpload).toEqual([again[1], again[2], again[3]]);
    expect(done).toBe(1);
  });

  it('includes files uploaded in an earlier visit', () => {
    const first = toUnfinishedBatch(markUploaded(queueOf('a', 'b'), 'a'), []);
    if (first === null) throw new Error('nothing is missing');
    const second = toUnfinishedBatch(queueOf('b'), uploadedFiles(first));
    expect(second?.files.map(({ name, done }) => [name, done])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('is removed when the stored value is invalid', () => {
    for (const broken of ['{', '[[]]', '[["e1",[["a"]]]]', '{"eventId":"e1"}']) {
      localStorage.setItem('unfinishedUploads', broken);
      expect(storedBatches.read()).toBeNull();
      expect(localStorage.getItem('unfinishedUploads')).toBeNull();
    }
  });
});
