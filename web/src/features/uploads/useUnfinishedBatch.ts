import { useCallback, useEffect, useRef, useState } from 'react';
import type { BatchFile } from '../../shared/storage';
import { isUploading } from './queue';
import {
  deleteBatch,
  loadBatch,
  saveBatch,
  splitSelectedFiles,
  toUnfinishedBatch,
  uploadedFiles,
} from './unfinishedBatches';
import type { Uploader } from './uploader';

/** Milliseconds between two saves of the batch: writing thousands of names is expensive. */
const saveInterval = 2000;

/** Saves the running batch to storage, and loads the unfinished one of an earlier visit. */
export function useUnfinishedBatch(uploader: Uploader, eventId: string | undefined) {
  const [loaded, setLoaded] = useState(() => ({ eventId, batch: loadBatch(eventId) }));
  if (loaded.eventId !== eventId) setLoaded({ eventId, batch: loadBatch(eventId) });
  const uploadedEarlier = useRef<readonly BatchFile[]>([]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      clearTimeout(timer);
      timer = undefined;
      const queue = uploader.getSnapshot();
      // An empty queue does not delete the stored batch: it is offered again.
      if (queue.items.length === 0) return;
      const batch = toUnfinishedBatch(queue, uploadedEarlier.current);
      if (batch !== null) {
        saveBatch(batch);
        return;
      }
      const eventOfBatch = queue.items[0]?.eventId ?? null;
      if (eventOfBatch !== null) deleteBatch(eventOfBatch);
      uploadedEarlier.current = [];
    };
    const unsubscribe = uploader.subscribe(() => {
      if (isUploading(uploader.getSnapshot())) timer ??= setTimeout(save, saveInterval);
      else save();
    });
    window.addEventListener('pagehide', save);
    return () => {
      save();
      unsubscribe();
      window.removeEventListener('pagehide', save);
    };
  }, [uploader]);

  const unfinished = loaded.eventId === eventId ? loaded.batch : null;

  const dismiss = useCallback(() => {
    setLoaded({ eventId, batch: null });
    if (eventId !== undefined) deleteBatch(eventId);
  }, [eventId]);

  const add = useCallback(
    (files: readonly File[]): number => {
      if (eventId === undefined) return 0;
      if (unfinished === null) {
        if (!isUploading(uploader.getSnapshot())) uploadedEarlier.current = [];
        uploader.add(files, eventId);
        return 0;
      }
      const { toUpload, done } = splitSelectedFiles(unfinished, files);
      if (toUpload.length > 0) {
        uploadedEarlier.current = uploadedFiles(unfinished);
        setLoaded({ eventId, batch: null });
        uploader.add(toUpload, eventId);
      }
      return done;
    },
    [eventId, unfinished, uploader],
  );
  return { unfinished, add, dismiss };
}
