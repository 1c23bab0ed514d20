import { type BatchFile, storedBatches } from '../../../platform/storage/uploadStorage';
import { deleteHandles } from './fileHandles';
import { isUnfinished, isUploading } from './queue';
import {
  deleteBatch,
  entryOfFile,
  entryOfItem,
  isMissing,
  keyOfEntry,
  keyOfFile,
  keyWithFolder,
  keyWithoutDate,
  loadBatch,
  saveBatch,
} from './unfinishedBatches';
import type { Uploader } from './uploader';

/** Photos that an earlier batch did not upload, and that are not in the queue. */
export interface MissingPhotos {
  missing: number;
  /** All photos of the batch. */
  total: number;
}

/** What has been chosen for an event and what became of it, kept across reloads until nothing is missing. */
export interface BatchMemory {
  /** Null if nothing is missing. */
  getSnapshot: () => MissingPhotos | null;
  subscribe: (listener: () => void) => () => void;
  /**
   * Enqueues files, but for those that the queue will upload already. What an earlier batch has uploaded may have been deleted
   * since, and is looked up; where it cannot be, it is skipped. Returns how many are.
   */
  add: (files: readonly File[]) => number;
  /** The files that were skipped since the page was opened: they are photos of the event, and in no queue. */
  skipped: () => readonly File[];
  /** Removes items from the queue, and forgets their files. */
  remove: (ids: readonly string[]) => void;
  /** Forgets what is missing. */
  dismiss: () => void;
  /** Follows the queue; returns the function that saves and ends it. */
  start: () => () => void;
}

/** Milliseconds between two saves of the batch: writing thousands of names is expensive. */
const saveInterval = 2000;

export function createBatchMemory(uploader: Uploader, eventId: string): BatchMemory {
  let entries = new Map<string, BatchFile>();
  for (const entry of loadBatch(eventId)?.files ?? []) entries.set(keyOfEntry(entry), entry);
  /** The files whose state is known here. Another tab may use the same event, and knows that of its own. */
  const own = new Set<string>();
  /** Files that are not part of the batch any more. */
  const forgotten = new Set<string>();
  /** The files that have been enqueued: the queue shows what becomes of them. */
  const enqueued = new Set<string>();
  const skipped = new Map<string, File>();
  /** Items that the queue still lists, but whose batch has ended with nothing missing. */
  const settled = new Set<string>();
  /** Only a change is saved. */
  let changed = false;
  const listeners = new Set<() => void>();
  let snapshot = summarize();

  function summarize(): MissingPhotos | null {
    let missing = 0;
    for (const [key, entry] of entries) if (isMissing(entry) && !enqueued.has(key)) missing += 1;
    return missing === 0 ? null : { missing, total: entries.size };
  }

  function refresh(): void {
    const next = summarize();
    if (next?.missing === snapshot?.missing && next?.total === snapshot?.total) return;
    snapshot = next;
    for (const listener of listeners) listener();
  }

  function put(key: string, entry: BatchFile): void {
    entries.set(key, entry);
    own.add(key);
    forgotten.delete(key);
  }

  function forget(key: string): void {
    entries.delete(key);
    own.delete(key);
    forgotten.add(key);
  }

  /** The batch as it is stored, with what is known better here. */
  function merged(): BatchFile[] {
    const files = new Map<string, BatchFile>();
    for (const entry of loadBatch(eventId)?.files ?? []) {
      if (!forgotten.has(keyOfEntry(entry))) files.set(keyOfEntry(entry), entry);
    }
    for (const key of own) {
      const entry = entries.get(key);
      if (entry !== undefined) files.set(key, entry);
    }
    return [...files.values()];
  }

  /** Takes over what another tab has saved of files that are none of this one's. */
  function followOtherTabs(): void {
    const stored = new Map(loadBatch(eventId)?.files.map((entry) => [keyOfEntry(entry), entry]));
    for (const key of entries.keys()) {
      if (own.has(key)) continue;
      const entry = stored.get(key);
      if (entry === undefined) entries.delete(key);
      else entries.set(key, entry);
    }
    refresh();
  }

  function followQueue(): void {
    const queue = uploader.getSnapshot();
    const items = queue.items.filter((item) => item.eventId === eventId);
    for (const item of items) {
      const entry = entryOfItem(item);
      // One that is tried again belongs to the batch once more.
      if (isMissing(entry)) settled.delete(item.id);
      if (!settled.has(item.id)) put(keyOfFile(item.file), entry);
    }
    if (items.length > 0) changed = true;
    // A queue that was cleared leaves its unfinished files missing.
    else if (!queue.measuring) enqueued.clear();
  }

  function save(): void {
    followQueue();
    if (changed) {
      const files = merged();
      if (files.some(isMissing)) {
        saveBatch({ eventId, files });
      } else {
        deleteBatch(eventId);
        void deleteHandles(eventId);
        entries = new Map();
        own.clear();
        forgotten.clear();
        for (const { id } of uploader.getSnapshot().items) settled.add(id);
      }
      changed = false;
    }
    refresh();
  }

  /**
   * Forgets the missing files that `files` bring under another date: some browsers, on phones above all, give the time of
   * the choice as the date of a file.
   */
  function forgetRedated(files: readonly File[]): void {
    const missing = new Map<string, string[]>();
    for (const [key, entry] of entries) {
      if (!isMissing(entry) || enqueued.has(key)) continue;
      const same = keyWithoutDate(entry);
      missing.set(same, [...(missing.get(same) ?? []), key]);
    }
    for (const file of files) {
      if (entries.has(keyOfFile(file))) continue;
      const redated = missing.get(keyWithoutDate(file))?.shift();
      if (redated !== undefined) forget(redated);
    }
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(files) {
      const resumes = [...entries.values()].some(isMissing);
      const isDone = (file: File) => resumes && entries.get(keyOfFile(file))?.state === 'done';
      const done = files.filter(isDone);
      const skips = uploader.hasLookups ? [] : done;
      const unfinished = uploader
        .getSnapshot()
        .items.filter((item) => item.eventId === eventId && isUnfinished(item));
      const queued = new Set(unfinished.map((item) => keyWithFolder(item.file)));
      const toUpload = files.filter((file) => {
        const key = keyWithFolder(file);
        if ((isDone(file) && !uploader.hasLookups) || queued.has(key)) return false;
        queued.add(key);
        return true;
      });
      for (const file of skips) skipped.set(keyOfFile(file), file);
      forgetRedated(toUpload);
      const uploadedBefore = new Set(toUpload.filter(isDone));
      for (const file of toUpload) {
        if (!uploadedBefore.has(file)) put(keyOfFile(file), entryOfFile(file));
        enqueued.add(keyOfFile(file));
      }
      changed = true;
      // What is missing comes first: the others are only compared.
      const inOrder = [...toUpload.filter((file) => !uploadedBefore.has(file)), ...uploadedBefore];
      uploader.add(inOrder, eventId, uploadedBefore);
      save();
      return skips.length;
    },
    skipped: () => [...skipped.values()],
    remove(ids) {
      const removed = new Set(ids);
      for (const item of uploader.getSnapshot().items) {
        if (removed.has(item.id)) forget(keyOfFile(item.file));
      }
      changed = true;
      for (const id of ids) uploader.remove(id);
      save();
    },
    dismiss() {
      for (const [key, entry] of entries) if (isMissing(entry) && !enqueued.has(key)) forget(key);
      changed = true;
      save();
    },
    start() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const saveNow = () => {
        clearTimeout(timer);
        timer = undefined;
        save();
      };
      const unsubscribe = uploader.subscribe(() => {
        if (isUploading(uploader.getSnapshot())) timer ??= setTimeout(saveNow, saveInterval);
        else saveNow();
      });
      const follow = ({ key }: StorageEvent) => {
        if (key === storedBatches.key) followOtherTabs();
      };
      window.addEventListener('pagehide', saveNow);
      window.addEventListener('storage', follow);
      return () => {
        saveNow();
        unsubscribe();
        window.removeEventListener('pagehide', saveNow);
        window.removeEventListener('storage', follow);
      };
    },
  };
}
