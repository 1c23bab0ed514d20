import { storedBatches } from '../../../platform/storage/uploadStorage';
import { isSystemFile } from './droppedFiles';
import { rememberPath } from './folders';

/**
 * Where chosen files lie, so that a batch goes on after a reload without choosing them again. Only browsers with the File
 * System Access API tell; the others ask for the files again.
 */

interface Permission {
  queryPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
}
interface Entry extends Permission {
  isSameEntry?: (other: Handle) => Promise<boolean>;
}
interface FileHandle extends Entry {
  readonly kind: 'file';
  readonly name: string;
  getFile: () => Promise<File>;
}
interface DirectoryHandle extends Entry {
  readonly kind: 'directory';
  readonly name: string;
  values: () => AsyncIterable<Handle>;
}
export type Handle = FileHandle | DirectoryHandle;

/** What the types of the browser do not have. */
interface Pickers {
  showOpenFilePicker?: (options: object) => Promise<FileHandle[]>;
  showDirectoryPicker?: () => Promise<DirectoryHandle>;
}
interface HandleItem {
  getAsFileSystemHandle?: () => Promise<Handle | null>;
}

const pickers = (): Pickers => window as Pickers;
export const canPickFiles = (): boolean => pickers().showOpenFilePicker !== undefined;
export const canPickFolders = (): boolean => pickers().showDirectoryPicker !== undefined;

/** None if the person closes the dialog; null if the browser does not show it, as in a frame of another site. */
async function picked(choice: Promise<Handle[]> | undefined): Promise<Handle[] | null> {
  try {
    return (await choice) ?? null;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? [] : null;
  }
}

export const pickFiles = (accept: Record<string, readonly string[]>): Promise<Handle[] | null> =>
  picked(pickers().showOpenFilePicker?.({ multiple: true, types: [{ accept }] }));
export const pickFolder = (): Promise<Handle[] | null> =>
  picked(
    pickers()
      .showDirectoryPicker?.()
      .then((handle) => [handle]),
  );

/** Where the files and directories of a drop lie; to be called before the first `await` of its event. */
export async function handlesOfDrop(transfer: DataTransfer): Promise<Handle[]> {
  const items = Array.from(transfer.items).filter(({ kind }) => kind === 'file');
  const handles = items.map((item) =>
    Promise.resolve((item as HandleItem).getAsFileSystemHandle?.() ?? null),
  );
  const results = await Promise.allSettled(handles);
  return results.flatMap((result) =>
    result.status === 'fulfilled' && result.value !== null ? [result.value] : [],
  );
}

async function isReadable(handle: Handle): Promise<boolean> {
  const state = await handle.queryPermission?.({ mode: 'read' });
  if (state === undefined || state === 'granted') return true;
  return (await handle.requestPermission?.({ mode: 'read' })) === 'granted';
}

async function addFilesOf(handle: Handle, files: File[], folder = ''): Promise<void> {
  const path = `${folder}/${handle.name}`;
  if (handle.kind === 'file') {
    const file = await handle.getFile();
    rememberPath(file, path);
    files.push(file);
    return;
  }
  for await (const entry of handle.values()) {
    if (!isSystemFile(entry.name)) await addFilesOf(entry, files, path);
  }
}

/** The files of all handles that can still be read. After a reload the browser asks for permission: call it on a click. */
export async function filesOf(handles: readonly Handle[]): Promise<File[]> {
  const files: File[] = [];
  for (const handle of handles) {
    try {
      if (await isReadable(handle)) await addFilesOf(handle, files);
    } catch {
      // Moved, deleted or refused: it is still missing, and the page says so.
    }
  }
  return files;
}

const storeName = 'handles';

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
  });

/** Does something with the stored handles, by event; null where the browser stores none. */
async function withStore<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T | null> {
  try {
    const opening = indexedDB.open('uploads', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    const database = await resultOf(opening);
    try {
      return await work(database.transaction(storeName, 'readwrite').objectStore(storeName));
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** Where the files of an event's unfinished batch lie. */
export const loadHandles = async (eventId: string): Promise<readonly Handle[]> =>
  (await withStore((store) => resultOf(store.get(eventId) as IDBRequest<Handle[] | undefined>))) ?? [];

async function leadsToOneOf(handle: Handle, others: readonly Handle[]): Promise<boolean> {
  for (const other of others) {
    try {
      if ((await handle.isSameEntry?.(other)) === true) return true;
    } catch {
      // Of what is gone nothing is known.
    }
  }
  return false;
}

/** Those of the handles that lead to nothing to which a known one leads, or one before it. */
async function newHandles(known: readonly Handle[], handles: readonly Handle[]): Promise<readonly Handle[]> {
  // There may be thousands, and each comparison asks the browser.
  const byName = new Map<string, Handle[]>();
  const add = (handle: Handle) => byName.set(handle.name, [...(byName.get(handle.name) ?? []), handle]);
  known.forEach(add);
  const added: Handle[] = [];
  for (const handle of handles) {
    if (await leadsToOneOf(handle, byName.get(handle.name) ?? [])) continue;
    add(handle);
    added.push(handle);
  }
  return added;
}

/** Adds to them those that are not among them yet, and forgets those of events without a batch. */
export async function saveHandles(eventId: string, handles: readonly Handle[]): Promise<void> {
  if (handles.length === 0) return;
  // Before the store is opened: its transaction ends by itself while anything else is waited for.
  const added = await newHandles(await loadHandles(eventId), handles);
  const events = new Set(storedBatches.read()?.map((batch) => batch.eventId));
  // The batch may have ended meanwhile: the next one is not to bring its files again.
  if (!events.has(eventId)) return;
  await withStore(async (store) => {
    for (const key of await resultOf(store.getAllKeys())) {
      if (typeof key !== 'string' || !events.has(key)) store.delete(key);
    }
    const known = (await resultOf(store.get(eventId) as IDBRequest<Handle[] | undefined>)) ?? [];
    await resultOf(store.put([...known, ...added], eventId));
  });
}

export async function deleteHandles(eventId: string): Promise<void> {
  await withStore((store) => resultOf(store.delete(eventId)));
}
