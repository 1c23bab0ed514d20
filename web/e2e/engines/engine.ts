/** What a person sees of an element, by which it is found: its role and name; without a role, its label. */
export interface Wanted {
  readonly role?: 'button' | 'heading';
  readonly name: string;
  /** Only in a dialog that is open. */
  readonly inDialog?: boolean;
}

export const button = (name: string): Wanted => ({ role: 'button', name });
export const heading = (name: string): Wanted => ({ role: 'heading', name });
export const labelled = (name: string): Wanted => ({ name });
export const inDialog = (wanted: Wanted): Wanted => ({ ...wanted, inDialog: true });

export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** One page of a browser: what the journey needs of it, and no more, so that each engine's driver can offer it. */
export interface EnginePage {
  /** Opens an address as somebody who was never there: nothing is left of earlier visits. */
  open(url: string): Promise<void>;
  /** Runs a function in the page; a promise that it returns is awaited. */
  run<A, R>(script: (argument: A) => R, argument: A): Promise<Awaited<R>>;
  /** Whether it is there, and takes up room. */
  has(wanted: Wanted): Promise<boolean>;
  /** Clicks as a pointer does: scrolled into sight, at the centre of the element. */
  click(wanted: Wanted): Promise<void>;
  press(key: 'ArrowRight' | 'Escape'): Promise<void>;
  /** Gives a file to a file input, as its dialog does. */
  choose(wanted: Wanted, path: string): Promise<void>;
  /** Clicks, and returns the file that the browser then saves. */
  save(wanted: Wanted): Promise<SavedFile>;
  screenshot(): Promise<Buffer>;
}

/** A running browser that has no camera. */
export interface Engine {
  readonly page: EnginePage;
  close(): Promise<void>;
}
