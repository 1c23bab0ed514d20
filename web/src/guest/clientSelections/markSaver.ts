import { ApiError } from '../../platform/api/errors';

/** What a client has marked a photo with. */
export interface Mark {
  chosen: boolean;
  /** Empty for nothing. */
  comment: string;
}

export interface SavedMark extends Mark {
  /** How many photos are chosen with it. */
  chosen_count: number;
}

/** What is known of all marks. */
export interface Marks {
  /** How many photos are chosen, with what is not saved yet. */
  chosen: number;
  /** How many photos have a mark that is not saved yet. */
  unsaved: number;
  /** Why the last attempt to save one did not reach the server; null after one that did. */
  failure: string | null;
}

const noMark: Mark = { chosen: false, comment: '' };

/** Milliseconds until a mark that could not be saved is tried again: doubled each time, up to the last. */
const firstPause = 2000;
const longestPause = 60_000;

const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** As many photos are chosen as can be. */
const isFull = (error: unknown): boolean => error instanceof ApiError && error.code === 'client_choice_full';

/** The PIN was set or changed while the client was choosing. */
const asksForPin = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'client_pin_required';

/**
 * Saves marks one after the other, each at once, in the order in which they were made. One that does not reach the server is kept
 * and tried again; while a PIN is asked for all are kept; one that the server refuses is taken back, and `onRefused` is told why.
 * What was said of a photo that cannot be chosen any more is saved without choosing it.
 */
export class MarkSaver {
  private onRefused: (text: string) => void = () => undefined;
  private readonly put: (photo: string, mark: Partial<Mark>) => Promise<SavedMark>;
  private readonly saved = new Map<string, Mark>();
  /** What was marked and is not saved yet, by photo. */
  private readonly wanted = new Map<string, Partial<Mark>>();
  /** When a mark was last saved, by photo; in answers. */
  private readonly savedAt = new Map<string, number>();
  private readonly listeners = new Set<() => void>();
  private answers = 0;
  private count = 0;
  private failure: string | null = null;
  private failures = 0;
  private running = false;
  private locked = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private current: Marks = { chosen: 0, unsaved: 0, failure: null };

  constructor(put: (photo: string, mark: Partial<Mark>) => Promise<SavedMark>) {
    this.put = put;
  }

  /** Who is told why a mark was taken back. */
  tellRefusals(onRefused: (text: string) => void): void {
    this.onRefused = onRefused;
  }

  /** This moment, for `learn`: it changes with every mark that is saved. */
  moment(): number {
    return this.answers;
  }

  /** Photos came with their marks, which were asked for at a moment. What was marked, or saved, since then holds. */
  learn(photos: readonly ({ photo_id: string } & Mark)[], askedAt: number): void {
    for (const { photo_id: id, chosen, comment } of photos)
      if ((this.savedAt.get(id) ?? 0) <= askedAt) this.saved.set(id, { chosen, comment });
    this.tell();
  }

  /** The server has counted so many that are chosen. */
  learnCount(chosen: number): void {
    this.count = chosen;
    this.tell();
  }

  markOf(photo: string): Mark {
    return { ...noMark, ...this.saved.get(photo), ...this.wanted.get(photo) };
  }

  mark(photo: string, mark: Partial<Mark>): void {
    this.wanted.set(photo, { ...this.wanted.get(photo), ...mark });
    this.tell();
    void this.run();
  }

  /** Resolves once all is saved, or can't be at the moment. */
  rested(): Promise<void> {
    if (this.isResting()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (!this.isResting()) return;
        stop();
        resolve();
      });
    });
  }

  /** Keeps what is not saved until a PIN has been entered: no attempt would succeed, and each would ask for it anew. */
  lock(): void {
    this.locked = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Saves what was kept. */
  unlock(): void {
    if (!this.locked) return;
    this.locked = false;
    void this.run();
  }

  /** Tries again at once what could not be saved. */
  retry(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.run();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): Marks => this.current;

  private isResting(): boolean {
    return this.wanted.size === 0 || this.timer !== undefined || this.locked;
  }

  private tell(): void {
    let chosen = this.count;
    for (const [photo, { chosen: wanted }] of this.wanted) {
      const saved = this.saved.get(photo)?.chosen ?? false;
      if (wanted !== undefined && wanted !== saved) chosen += wanted ? 1 : -1;
    }
    this.current = { chosen, unsaved: this.wanted.size, failure: this.failure };
    for (const listener of this.listeners) listener();
  }

  private async run(): Promise<void> {
    if (this.running || this.timer !== undefined || this.locked) return;
    this.running = true;
    for (const [photo, mark] of this.wanted) {
      try {
        this.keep(photo, mark, await this.put(photo, mark));
      } catch (error) {
        this.fail(photo, mark, error);
      }
      this.tell();
      if (this.isResting()) break;
    }
    this.running = false;
    this.tell();
    // What was marked while the last one was on its way.
    if (this.wanted.size > 0) void this.run();
  }

  private keep(photo: string, sent: Partial<Mark>, { chosen_count, ...saved }: SavedMark): void {
    this.answers += 1;
    this.savedAt.set(photo, this.answers);
    this.saved.set(photo, saved);
    this.count = chosen_count;
    this.failure = null;
    this.failures = 0;
    this.settle(photo, sent);
  }

  private fail(photo: string, sent: Partial<Mark>, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.failure = null;
    if (asksForPin(error)) {
      this.lock();
      return;
    }
    if (isPassing(error)) {
      this.failure = text;
      if (!this.locked) this.wait(error);
      return;
    }
    const { chosen, comment } = sent;
    // What the client says of a photo needs no room.
    if (isFull(error) && chosen === true && comment !== undefined) this.settle(photo, sent, { comment });
    else this.settle(photo, sent);
    this.onRefused(text);
  }

  /** Forgets what was sent, but for what is left to be saved, unless it was changed meanwhile. */
  private settle(photo: string, sent: Partial<Mark>, left?: Partial<Mark>): void {
    if (this.wanted.get(photo) !== sent) return;
    if (left === undefined) this.wanted.delete(photo);
    else this.wanted.set(photo, left);
  }

  private wait(error: unknown): void {
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
    const pause = Math.min(longestPause, firstPause * 2 ** this.failures);
    this.failures += 1;
    this.timer = setTimeout(() => this.retry(), Math.max(asked, pause));
  }
}
