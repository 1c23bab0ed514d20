import { describe, expect, it, vi } from 'vitest';
import { storedBatches } from '../../../platform/storage/uploadStorage';
import { createBatchMemory } from './batchMemory';
import { pathOf, rememberPath } from './folders';
import { deleteBatch, loadBatch, saveBatch } from './unfinishedBatches';
import { createUploader } from './uploader';

const file = (name: string, lastModified = 1) => new File(['x'], name, { lastModified });
const entry = (name: string, state: 'missing' | 'done' | 'refused') => ({
  name,
  size: 1,
  modified: 1,
  state,
});
const never = new Promise<never>(() => undefined);
const idleUploader = () =>
  createUploader({
    upload: () => never,
    findStored: () => never,
    measure: () => never,
    waitUntilReachable: () => never,
  });

describe('an unfinished batch', () => {
  it('is stored with the state of each file', () => {
    const batch = {
      eventId: 'e1',
      files: [entry('a', 'done'), entry('b', 'missing'), entry('c', 'refused')],
    };
    saveBatch(batch);
    expect(loadBatch('e1')).toEqual(batch);
    expect(loadBatch('e2')).toBeNull();
    expect(createBatchMemory(idleUploader(), 'e1').getSnapshot()).toEqual({ missing: 1, total: 3 });
    expect(createBatchMemory(idleUploader(), 'e2').getSnapshot()).toBeNull();
  });

  it('is stored with those of other events, the latest five or as many as the quota allows', () => {
    const batch = (eventId: string) => ({ eventId, files: [entry('a', 'missing')] });
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
    // What is missing is worth more than what is there.
    saveBatch({
      eventId: 'e8',
      files: ['a', 'b', 'c', 'd'].map((name) => entry(name, 'done')).concat(entry('e', 'missing')),
    });
    expect(loadBatch('e8')?.files).toEqual([entry('e', 'missing')]);
    deleteBatch('e8');
    expect(storedBatches.read()).toBeNull();
  });

  it('skips uploaded files, but not another file of the same name, nor one that was refused', () => {
    saveBatch({ eventId: 'e1', files: [entry('a', 'done'), entry('b', 'missing'), entry('r', 'refused')] });
    const uploader = idleUploader();
    const memory = createBatchMemory(uploader, 'e1');
    expect(memory.add([file('a'), file('b'), file('a', 2), file('new'), file('r')])).toBe(1);
    const names = uploader.getSnapshot().items.map((item) => [item.filename, item.file.lastModified]);
    expect(names).toEqual([
      ['b', 1],
      ['a', 2],
      ['new', 1],
      ['r', 1],
    ]);
    expect(memory.getSnapshot()).toBeNull();
  });

  it('queues no file twice that is chosen again before it is uploaded, but another one that is like it', () => {
    const uploader = idleUploader();
    const memory = createBatchMemory(uploader, 'e1');
    const inFolder = (folder: string, name: string) => {
      const chosen = file(name);
      rememberPath(chosen, `/${folder}/${name}`);
      return chosen;
    };
    const queued = () => uploader.getSnapshot().items.map((item) => pathOf(item.file));
    memory.add([inFolder('one', 'a'), inFolder('one', 'a'), inFolder('other', 'a')]);
    expect(queued()).toEqual(['one/a', 'other/a']);
    expect(memory.add([inFolder('one', 'a'), inFolder('one', 'b')])).toBe(0);
    expect(queued()).toEqual(['one/a', 'other/a', 'one/b']);
    const [first] = uploader.getSnapshot().items;
    memory.remove([first?.id ?? '']);
    memory.add([inFolder('one', 'a')]);
    expect(queued()).toEqual(['other/a', 'one/b', 'one/a']);
  });

  it('has all files of a drop before they are queued', () => {
    const uploader = idleUploader();
    const many = Array.from({ length: 250 }, (_, index) => file(`${index}`));
    createBatchMemory(uploader, 'e1').add(many);
    expect(uploader.getSnapshot().items.length).toBeLessThan(250);
    expect(loadBatch('e1')?.files).toHaveLength(250);
  });

  it('of one event in two tabs loses nothing of either [UPL214]', () => {
    saveBatch({ eventId: 'e1', files: [entry('before', 'missing'), entry('left', 'missing')] });
    const tab = () => {
      const uploader = idleUploader();
      return { uploader, memory: createBatchMemory(uploader, 'e1') };
    };
    const [one, other] = [tab(), tab()];
    const stored = () => (loadBatch('e1')?.files ?? []).map(({ name, state }) => `${name} ${state}`).sort();
    one.memory.add([file('a1'), file('a2')]);
    const end = other.memory.start();
    other.memory.add([file('b1')]);
    expect(stored()).toEqual(['a1 missing', 'a2 missing', 'b1 missing', 'before missing', 'left missing']);

    // The other one finishes all that it has; what the first has is missing all the same.
    const idOf = ({ uploader }: typeof one, name: string) =>
      uploader.getSnapshot().items.find(({ filename }) => filename === name)?.id ?? '';
    other.memory.remove([idOf(other, 'b1')]);
    expect(stored()).toEqual(['a1 missing', 'a2 missing', 'before missing', 'left missing']);

    // What one forgets the other does not bring back, nor show.
    one.memory.dismiss();
    one.memory.remove([idOf(one, 'a2')]);
    expect(other.memory.getSnapshot()).toEqual({ missing: 2, total: 2 });
    window.dispatchEvent(new StorageEvent('storage', { key: storedBatches.key }));
    expect(other.memory.getSnapshot()).toBeNull();
    other.memory.add([file('b2')]);
    expect(stored()).toEqual(['a1 missing', 'b2 missing']);
    end();
    expect(stored()).toEqual(['a1 missing', 'b2 missing']);
  });

  it('is removed when the stored value is invalid', () => {
    for (const broken of ['{', '[[]]', '[["e1",[["a"]]]]', '{"eventId":"e1"}']) {
      localStorage.setItem('unfinishedUploads', broken);
      expect(storedBatches.read()).toBeNull();
      expect(localStorage.getItem('unfinishedUploads')).toBeNull();
    }
  });
});
