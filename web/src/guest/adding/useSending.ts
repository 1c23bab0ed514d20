import { t } from '@lingui/core/macro';
import { useEffect, useReducer, useRef } from 'react';
import { delay } from '../../platform/delay';
import { type Guest, sendPhoto } from './ownPhotos';

/** A photo that is being sent, or could not be. */
export interface Sending {
  file: File;
  /** Percent. */
  progress: number;
  /** Why it was refused; null while it is not. */
  failure: string | null;
}

/** How long is waited before a photo whose line was cut goes on, in milliseconds. */
const pause = 3000;
/** After so many cuts without a byte in between nothing is tried any more. */
const patience = 5;

/** Sends photos one after the other; `onSent` is called after each that has arrived. */
export function useSending(guest: Guest, onSent: () => void) {
  const list = useRef<Sending[]>([]);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const running = useRef(false);
  const leaving = useRef(new AbortController());
  const sent = useRef(onSent);
  useEffect(() => {
    sent.current = onSent;
  });
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
  const send = async (file: File, name: string) => {
    const { signal } = leaving.current;
    const failed = t`This did not work. Please check your connection and try again.`;
    for (let cuts = 0; cuts < patience && !signal.aborted; cuts += 1) {
      const seen = { moved: false };
      const onProgress = (bytes: number, total: number) => {
        seen.moved = true;
        change(file, { progress: total === 0 ? 0 : (100 * bytes) / total });
      };
      const outcome = await sendPhoto(guest, file, name, onProgress, signal).catch(() => null);
      if (outcome?.kind === 'accepted') {
        change(file, null);
        sent.current();
        return;
      }
      if (outcome?.kind === 'rejected') {
        change(file, { failure: outcome.error ?? failed });
        return;
      }
      if (outcome?.kind === 'aborted') return;
      if (seen.moved) cuts = 0;
      await delay(pause);
    }
    if (!signal.aborted) change(file, { failure: failed });
  };
  const run = async (name: string) => {
    if (running.current) return;
    running.current = true;
    for (;;) {
      const next = list.current.find(({ failure }) => failure === null);
      if (next === undefined || leaving.current.signal.aborted) break;
      await send(next.file, name);
    }
    running.current = false;
  };
  return {
    sending: list.current,
    add: (files: readonly File[], name: string) => {
      list.current = [
        ...list.current.filter(({ failure }) => failure === null),
        ...files.map((file) => ({ file, progress: 0, failure: null })),
      ];
      render();
      void run(name);
    },
    remove: (file: File) => change(file, null),
  };
}
