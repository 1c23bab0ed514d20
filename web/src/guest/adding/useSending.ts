import { t } from '@lingui/core/macro';
import { useEffect, useState, useSyncExternalStore } from 'react';
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
  /** It has not reached the server, and is tried again. */
  waits: boolean;
}

/** How long is waited before a photo whose line was cut goes on, in milliseconds. */
const pause = 3000;
/** The same at most, while the server is not reached. */
const longestPause = 60_000;
/** After so many cuts by a server that answers, without a byte in between, nothing is tried any more. */
const patience = 5;

/** Resolves when the network is back or `signal` aborts, and after a while: a browser may take any network for the internet. */
async function whenOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  const controller = new AbortController();
  const goOn = () => controller.abort();
  window.addEventListener('online', goOn);
  signal.addEventListener('abort', goOn);
  await delay(milliseconds, controller.signal);
  window.removeEventListener('online', goOn);
  signal.removeEventListener('abort', goOn);
}

const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

export interface SendingQueue {
  sending: readonly Sending[];
  add: (files: readonly File[], name: string) => void;
  /** Sends one that has failed once more. */
  retry: (file: File) => void;
  /** Takes one out that has failed, or waits for the network. */
  remove: (file: File) => void;
  /** Calls `listener` after each photo that has arrived, until what it returns is called. */
  onSent: (listener: () => void) => () => void;
}

/** Sends photos one after the other. */
class Sender {
  private readonly guest: Guest;
  private readonly listeners = new Set<() => void>();
  private readonly sentListeners = new Set<() => void>();
  /** What is being sent. Nothing but its removal, and the end of the document, stops it. */
  private current: { file: File; controller: AbortController } | null = null;
  private list: readonly Sending[] = [];
  private running = false;
  private readonly warn = (event: BeforeUnloadEvent) => event.preventDefault();

  constructor(guest: Guest) {
    this.guest = guest;
    // Of the document, as the sender is: what waits for the event's PIN goes on once that is entered.
    guest.access.subscribe(() => void this.run());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Sending[] => this.list;

  readonly onSent = (listener: () => void): (() => void) => {
    this.sentListeners.add(listener);
    return () => this.sentListeners.delete(listener);
  };

  readonly add = (files: readonly File[], name: string): void => {
    const isAnew = ({ file, failure }: Sending) =>
      failure !== null && files.some((each) => isSameFile(each, file));
    this.set([
      ...this.list.filter((each) => !isAnew(each)),
      ...files.map((file) => ({ file, name, progress: 0, failure: null, waits: false })),
    ]);
    void this.run();
  };

  readonly retry = (file: File): void => {
    this.change(file, { failure: null, waits: false });
    void this.run();
  };

  readonly remove = (file: File): void => {
    this.change(file, null);
    if (this.current?.file === file) this.current.controller.abort();
  };

  private set(list: readonly Sending[]): void {
    this.list = list;
    // Not of a component: the photos also wait where the way to add them is not on the screen.
    if (this.next() === undefined) window.removeEventListener('beforeunload', this.warn);
    else window.addEventListener('beforeunload', this.warn);
    for (const listener of this.listeners) listener();
  }

  private change(file: File, change: Partial<Sending> | null): void {
    this.set(
      this.list.flatMap((each) =>
        each.file !== file ? [each] : change === null ? [] : [{ ...each, ...change }],
      ),
    );
  }

  private next(): Sending | undefined {
    return this.list.find(({ failure }) => failure === null);
  }

  readonly run = async (): Promise<void> => {
    if (this.running) return;
    this.running = true;
    for (let next = this.next(); next !== undefined; next = this.next()) {
      if (!(await this.send(next))) break;
    }
    this.running = false;
  };

  /** Sends one; whether the next one can be sent then: not while the PIN of the event is asked for. */
  private async send({ file, name }: Sending): Promise<boolean> {
    const failed = t`This did not work. Please check your connection and try again.`;
    // Without the code that sends it, which is loaded when it is needed, nothing is reached while the device is offline.
    const unreached = () =>
      navigator.onLine ? null : ({ kind: 'cut', reached: false, moved: false } as const);
    const controller = new AbortController();
    const { signal } = controller;
    this.current = { file, controller };
    let [cuts, misses] = [0, 0];
    while (cuts < patience && !signal.aborted) {
      const onProgress = (bytes: number, total: number) =>
        this.change(file, { progress: total === 0 ? 0 : (100 * bytes) / total, waits: false });
      const outcome = await sendPhoto(this.guest, file, name, onProgress, signal).catch(unreached);
      if (outcome?.kind === 'accepted') {
        this.change(file, null);
        for (const listener of this.sentListeners) listener();
        return true;
      }
      if (outcome?.kind === 'rejected') {
        if (outcome.code === 'event_pin_required') {
          // Another one was entered while it was on its way.
          if (this.guest.access.readAccess(this.guest.slug) !== null) continue;
          return false;
        }
        this.change(file, { failure: outcome.error ?? failed });
        return true;
      }
      if (outcome?.kind === 'cut' && !outcome.reached) {
        this.change(file, { waits: true });
        await whenOnline(Math.min(longestPause, pause * 2 ** misses), signal);
        misses += 1;
        continue;
      }
      misses = 0;
      cuts = outcome?.kind === 'cut' && outcome.moved ? 1 : cuts + 1;
      await delay(pause, signal);
    }
    this.change(file, { failure: failed });
    return true;
  }
}

/** Those of this document, by event: what a guest has chosen is sent while they search, and in another language. */
const senders = new Map<string, Sender>();

function senderOf(guest: Guest): Sender {
  const known = senders.get(guest.slug);
  if (known !== undefined) return known;
  const sender = new Sender(guest);
  senders.set(guest.slug, sender);
  return sender;
}

/** Sends the photos of a guest, also while the way to add them is not on the screen. */
export function useSending(guest: Guest): SendingQueue {
  const [sender] = useState(() => senderOf(guest));
  const sending = useSyncExternalStore(sender.subscribe, sender.snapshot);
  // This is on the screen again once the PIN is entered, or is asked for no more.
  useEffect(() => void sender.run(), [sender]);
  return { sending, add: sender.add, retry: sender.retry, remove: sender.remove, onSent: sender.onSent };
}
