import { useCallback, useEffect, useRef, useState } from 'react';
import type { BatchFile } from '../../shared/storage';
import { isUploading } from './queue';
import { doneIn, forgetBatch, rememberBatch, rememberedBatch, splitChosen, unfinishedOf } from './unfinished';
import type { Uploader } from './uploader';

/** Milliseconds between two notes of how far the batch is: writing thousands of names is not free. */
const noteEvery = 2000;

/** Keeps a note of the running batch in the browser, and hands out the one an earlier visit left. */
export function useUnfinished(uploader: Uploader, eventId: string | undefined) {
  const [left, setLeft] = useState(() => ({ eventId, batch: rememberedBatch(eventId) }));
  if (left.eventId !== eventId) setLeft({ eventId, batch: rememberedBatch(eventId) });
  const earlier = useRef<readonly BatchFile[]>([]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      clearTimeout(timer);
      timer = undefined;
      const queue = uploader.read();
      // An empty queue says nothing of a batch: it was left, and is offered again.
      if (queue.items.length === 0) return;
      const batch = unfinishedOf(queue, earlier.current);
      if (batch !== null) {
        rememberBatch(batch);
        return;
      }
      const event = queue.items[0]?.eventId ?? null;
      if (event !== null) forgetBatch(event);
      earlier.current = [];
    };
    const unsubscribe = uploader.subscribe(() => {
      if (isUploading(uploader.read())) timer ??= setTimeout(note, noteEvery);
      else note();
    });
    window.addEventListener('pagehide', note);
    return () => {
      note();
      unsubscribe();
      window.removeEventListener('pagehide', note);
    };
  }, [uploader]);

  const unfinished = left.eventId === eventId ? left.batch : null;

  const dismiss = useCallback(() => {
    setLeft({ eventId, batch: null });
    if (eventId !== undefined) forgetBatch(eventId);
  }, [eventId]);

  const add = useCallback(
    (files: readonly File[]): number => {
      if (eventId === undefined) return 0;
      if (unfinished === null) {
        if (!isUploading(uploader.read())) earlier.current = [];
        uploader.add(files, eventId);
        return 0;
      }
      const { toSend, done } = splitChosen(unfinished, files);
      if (toSend.length > 0) {
        earlier.current = doneIn(unfinished);
        setLeft({ eventId, batch: null });
        uploader.add(toSend, eventId);
      }
      return done;
    },
    [eventId, unfinished, uploader],
  );
  return { unfinished, add, dismiss };
}
