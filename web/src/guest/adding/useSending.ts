import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { delay } from '../../platform/delay';
import { type Guest, sendPhoto } from './ownPhotos';

/** A photo that is being sent, or could not be. */
export interface Sending {
  file: File;
  /** What the guest was called when it was chosen. */
  name: string;
  /** Percent. */
  progress: number;
  /** Why it was refused; null while it is not. */
  failure: string | null;
}

/** How long is waited before a photo whose line was cut goes on, in milliseconds. */
const pause = 3000;
/** After so many cuts without a byte in between nothing is tried any more. */
const patience = 5;

export interface SendingQueue {
  sending: readonly Sending[];
  add: (files: readonly File[], name: string) => void;
  remove: (file: File) => void;
  /** Calls `listener` after each photo that has arrived, until what it returns is called. */
  onSent: (listener: () => void) => () => void;
}

/** Sends photos one after the other. */
export function useSending(guest: Guest): SendingQueue {
  const list = useRef<Sending[]>([]);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const running = useRef(false);
  const leaving = useRef(new AbortController());
  const sent = useRef<(() => void) | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const change = (file: File, change: Partial<Sending> | null) => {
    list.current = list.current.flatMap((each) =>
      each.file !== file ? [each] : change === null ? [] : [{ ...each, ...change }],
    );
    render();
  };
  const send = async ({ file, name }: Sending) => {
    const { signal } = leaving.current;
    const failed = t`This did not work. Please check your connection and try again.`;
    for (let cuts = 0; cuts < patience && !signal.aborted; cuts += 1) {
      const onProgress = (bytes: number, total: number) =>
        change(file, { progress: total === 0 ? 0 : (100 * bytes) / total });
      const outcome = await sendPhoto(guest, file, name, onProgress, signal).catch(() => null);
      if (outcome?.kind === 'accepted') {
        change(file, null);
        sent.current?.();
        return;
      }
      if (outcome?.kind === 'rejected') {
        change(file, { failure: outcome.error ?? failed });
        return;
      }
      if (outcome?.kind === 'aborted') return;
      if (outcome?.kind === 'cut' && outcome.moved) cuts = 0;
      await delay(pause);
    }
    if (!signal.aborted) change(file, { failure: failed });
  };
  const run = async () => {
    if (running.current) return;
    running.current = true;
    for (;;) {
      const next = list.current.find(({ failure }) => failure === null);
      if (next === undefined || leaving.current.signal.aborted) break;
      await send(next);
    }
    running.current = false;
  };
  const onSent = useCallback((listener: () => void) => {
    sent.current = listener;
    return () => {
      sent.current = null;
    };
  }, []);
  return {
    sending: list.current,
    add: (files, name) => {
      list.current = [
        ...list.current.filter(({ failure }) => failure === null),
        ...files.map((file) => ({ file, name, progress: 0, failure: null })),
      ];
      render();
      void run();
    },
    remove: (file) => change(file, null),
    onSent,
  };
}
