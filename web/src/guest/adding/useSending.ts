import { t } from '@lingui/core/macro';
import { useState, useSyncExternalStore } from 'react';
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
class Sender {
  private readonly guest: Guest;
  private readonly listeners = new Set<() => void>();
  private readonly sentListeners = new Set<() => void>();
  // Nothing but the end of the document stops what is being sent.
  private readonly signal = new AbortController().signal;
  private list: readonly Sending[] = [];
  private running = false;
  private readonly warn = (event: BeforeUnloadEvent) => event.preventDefault();

  constructor(guest: Guest) {
    this.guest = guest;
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
    this.set([
      ...this.list.filter(({ failure }) => failure === null),
      ...files.map((file) => ({ file, name, progress: 0, failure: null })),
    ]);
    void this.run();
  };

  readonly remove = (file: File): void => this.change(file, null);

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

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let next = this.next(); next !== undefined; next = this.next()) await this.send(next);
    this.running = false;
  }

  private async send({ file, name }: Sending): Promise<void> {
    const failed = t`This did not work. Please check your connection and try again.`;
    for (let cuts = 0; cuts < patience; cuts += 1) {
      const onProgress = (bytes: number, total: number) =>
        this.change(file, { progress: total === 0 ? 0 : (100 * bytes) / total });
      const outcome = await sendPhoto(this.guest, file, name, onProgress, this.signal).catch(() => null);
      if (outcome?.kind === 'accepted') {
        this.change(file, null);
        for (const listener of this.sentListeners) listener();
        return;
      }
      if (outcome?.kind === 'rejected') {
        this.change(file, { failure: outcome.error ?? failed });
        return;
      }
      if (outcome?.kind === 'cut' && outcome.moved) cuts = 0;
      await delay(pause);
    }
    this.change(file, { failure: failed });
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
  return { sending, add: sender.add, remove: sender.remove, onSent: sender.onSent };
}
