import { describe, expect, it, vi } from 'vitest';
import { storedBatches } from '../../../platform/storage/uploadStorage';
import { pathOf } from './folders';
import {
  deleteHandles,
  filesOf,
  type Handle,
  handlesOfDrop,
  loadHandles,
  pickFiles,
  saveHandles,
} from './fileHandles';

const fileHandle = (name: string, overrides: object = {}): Handle => ({
  kind: 'file',
  name,
  getFile: () => Promise.resolve(new File(['x'], name)),
  ...overrides,
});
const folder = (name: string, ...entries: Handle[]): Handle => ({
  kind: 'directory',
  name,
  values: async function* () {
    await Promise.resolve();
    yield* entries;
  },
});
const names = (files: readonly File[]) => files.map(({ name }) => name);

describe('files of handles', () => {
  it('are read with all that is in directories, except what systems add', async () => {
    const handles = [
      fileHandle('a.jpg'),
      folder('card', fileHandle('b.jpg'), fileHandle('.DS_Store'), folder('more', fileHandle('c.jpg'))),
    ];
    const files = await filesOf(handles);
    expect(names(files)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    expect(files.map(pathOf)).toEqual(['a.jpg', 'card/b.jpg', 'card/more/c.jpg']);
  });

  it('are asked for where the browser wants to, and left out where it is refused or they are gone', async () => {
    const requestPermission = vi.fn(() => Promise.resolve<PermissionState>('granted'));
    const state = (answer: PermissionState) => () => Promise.resolve(answer);
    const handles = [
      fileHandle('asked.jpg', { queryPermission: state('prompt'), requestPermission }),
      fileHandle('granted.jpg', { queryPermission: state('granted') }),
      fileHandle('refused.jpg', { queryPermission: state('prompt'), requestPermission: state('denied') }),
      fileHandle('gone.jpg', { getFile: () => Promise.reject(new Error('NotFoundError')) }),
    ];
    expect(names(await filesOf(handles))).toEqual(['asked.jpg', 'granted.jpg']);
    expect(requestPermission).toHaveBeenCalledWith({ mode: 'read' });
  });
});

/** As much of IndexedDB as handles need. */
function fakeDatabase() {
  const stored = new Map<unknown, unknown>();
  const answer = (result: unknown) => {
    const request: { result: unknown; onsuccess: () => void } = { result, onsuccess: () => undefined };
    queueMicrotask(() => request.onsuccess());
    return request;
  };
  const store = {
    get: (key: unknown) => answer(stored.get(key)),
    getAllKeys: () => answer([...stored.keys()]),
    put: (value: unknown, key: unknown) => answer(stored.set(key, value)),
    delete: (key: unknown) => answer(stored.delete(key)),
  };
  const database = { transaction: () => ({ objectStore: () => store }), close: () => undefined };
  return { open: () => answer(database) };
}

describe('handles', () => {
  it('come with a drop in browsers that have them', async () => {
    const handle = fileHandle('a.jpg');
    const items = [
      { kind: 'file', getAsFileSystemHandle: () => Promise.resolve(handle) },
      { kind: 'file', getAsFileSystemHandle: () => Promise.reject(new Error('no')) },
      { kind: 'file' },
      { kind: 'string' },
    ];
    expect(await handlesOfDrop({ items } as unknown as DataTransfer)).toEqual([handle]);
  });

  it('are none when the dialog is closed, and unknown when the browser does not show it', async () => {
    vi.stubGlobal('showOpenFilePicker', () => Promise.reject(new DOMException('closed', 'AbortError')));
    expect(await pickFiles({ 'image/*': ['.jpg'] })).toEqual([]);
    vi.stubGlobal('showOpenFilePicker', () => Promise.reject(new DOMException('no', 'SecurityError')));
    expect(await pickFiles({ 'image/*': ['.jpg'] })).toBeNull();
    vi.unstubAllGlobals();
  });

  it('of what is chosen again are kept once, and those of others of the same name too', async () => {
    vi.stubGlobal('indexedDB', fakeDatabase());
    const files = [{ name: 'a.jpg', size: 1, modified: 1, state: 'missing' as const }];
    storedBatches.write([{ eventId: 'e1', files }]);
    const of = (entry: string, name: string) =>
      fileHandle(name, {
        entry,
        isSameEntry: (other: { entry?: string }) => Promise.resolve(other.entry === entry),
      });
    const failing = fileHandle('c.jpg', { isSameEntry: () => Promise.reject(new Error('no')) });
    const unable = fileHandle('d.jpg');
    await saveHandles('e1', [of('one', 'a.jpg'), of('one', 'a.jpg'), failing, unable]);
    await saveHandles('e1', [of('one', 'a.jpg'), of('other', 'a.jpg'), of('b', 'b.jpg'), failing, unable]);
    expect((await loadHandles('e1')).map(({ name }) => name)).toEqual([
      'a.jpg',
      'c.jpg',
      'd.jpg',
      'a.jpg',
      'b.jpg',
      'c.jpg',
      'd.jpg',
    ]);
    // Those of a batch that has ended are not kept for the next one.
    await deleteHandles('e1');
    storedBatches.remove();
    await saveHandles('e1', [unable]);
    expect(await loadHandles('e1')).toEqual([]);
    vi.unstubAllGlobals();
  });

  it('are not kept where the browser stores none, and nothing fails', async () => {
    await saveHandles('e1', [fileHandle('a.jpg')]);
    expect(await loadHandles('e1')).toEqual([]);
    await deleteHandles('e1');
  });
});
