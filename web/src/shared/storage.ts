/**
 * Everything the product keeps in the browser, each key declared once with its parser.
 * What cannot be parsed counts as absent; a value marked `dropBroken` is removed as well.
 */

/** The account as it was cached at login. */
export interface StoredUser {
  id?: string;
  name: string;
  email: string;
  is_photographer: boolean;
  email_verified?: boolean;
  premium?: boolean;
  pending_email?: string | null;
}

/** The event chosen in the bar. */
export interface SelectedEvent {
  id: string;
  name: string;
  date: string;
  slug: string;
}

/** A file of an upload batch, told from others by what the browser says of it. */
export interface BatchFile {
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds. */
  modified: number;
  done: boolean;
}

/** A batch of uploads that was not finished when it was last heard of. */
export interface UnfinishedBatch {
  eventId: string;
  files: readonly BatchFile[];
}

type AreaName = 'localStorage' | 'sessionStorage';

export interface StoredValue<T> {
  readonly key: string;
  /** The same reference until the stored text changes. */
  readonly read: () => T | null;
  /** Answers false when the browser refused to keep it (full, or switched off). */
  readonly write: (value: T) => boolean;
  readonly remove: () => void;
}

const listeners = new Set<() => void>();

/** Calls back whenever this tab or another changes what is stored. */
export function subscribeToStorage(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function changed(): void {
  for (const listener of listeners) listener();
}

// A browser may forbid storage altogether: then the page works without memory.
function areaOf(name: AreaName): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}

interface Declaration<T> {
  key: string;
  area: AreaName;
  /** Gives null for what is not a T. */
  parse: (text: string) => T | null;
  print: (value: T) => string;
  dropBroken?: boolean;
  /** What another tab writes counts for the tabs to come; this one keeps what it had. */
  perTab?: boolean;
}

function declare<T>({ key, area, parse, print, dropBroken, perTab }: Declaration<T>): StoredValue<T> {
  let last: { text: string; value: T | null } | null = null;
  /** What this tab had when another one wrote. */
  let kept: { value: T | null } | null = null;
  if (perTab === true) {
    // Declared before anybody can listen: when listeners read, it is kept already.
    window.addEventListener('storage', (event) => {
      if (event.key !== key) return;
      kept ??= { value: event.oldValue === null ? null : parse(event.oldValue) };
    });
  }
  return {
    key,
    read() {
      if (kept !== null) return kept.value;
      const text = areaOf(area)?.getItem(key) ?? null;
      if (text === null) return null;
      if (last?.text !== text) last = { text, value: parse(text) };
      if (last.value === null && dropBroken === true) areaOf(area)?.removeItem(key);
      return last.value;
    },
    write(value) {
      kept = null;
      try {
        areaOf(area)?.setItem(key, print(value));
      } catch {
        return false;
      }
      changed();
      return true;
    },
    remove() {
      kept = null;
      areaOf(area)?.removeItem(key);
      changed();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function parseUser(text: string): StoredUser | null {
  const user = recordOf(parseJson(text));
  if (user === null) return null;
  const { id, name, email, is_photographer, email_verified, premium, pending_email } = user;
  return {
    name: typeof name === 'string' ? name : '',
    email: typeof email === 'string' ? email : '',
    is_photographer: is_photographer === true,
    ...(typeof id === 'string' && { id }),
    ...(typeof email_verified === 'boolean' && { email_verified }),
    ...(typeof premium === 'boolean' && { premium }),
    ...(typeof pending_email === 'string' && { pending_email }),
  };
}

function parseEvent(text: string): SelectedEvent | null {
  const event = recordOf(parseJson(text));
  if (event === null) return null;
  const { id, name, date, slug } = event;
  const complete =
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof date === 'string' &&
    typeof slug === 'string';
  return complete ? { id, name, date, slug } : null;
}

function parseIds(text: string): string[] | null {
  const ids = parseJson(text);
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : null;
}

// A batch has thousands of files: each is a row of four, not an object.
const printBatches = (batches: readonly UnfinishedBatch[]): string =>
  JSON.stringify(
    batches.map(({ eventId, files }) => [
      eventId,
      files.map((file) => [file.name, file.size, file.modified, file.done ? 1 : 0]),
    ]),
  );

function parseBatches(text: string): readonly UnfinishedBatch[] | null {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return null;
  const batches = (parsed as unknown[]).map(batchOf);
  return batches.every((batch) => batch !== null) ? batches : null;
}

function batchOf(batch: unknown): UnfinishedBatch | null {
  if (!Array.isArray(batch)) return null;
  const [eventId, rows] = batch as unknown[];
  if (typeof eventId !== 'string' || !Array.isArray(rows)) return null;
  const files: BatchFile[] = [];
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row)) return null;
    const [name, size, modified, done] = row as unknown[];
    if (typeof name !== 'string' || typeof size !== 'number' || typeof modified !== 'number') return null;
    files.push({ name, size, modified, done: done === 1 });
  }
  return { eventId, files };
}

export const storedToken = declare<string>({
  key: 'token',
  area: 'localStorage',
  parse: (text) => (text === '' ? null : text),
  print: (token) => token,
});

export const storedUser = declare<StoredUser>({
  key: 'user',
  area: 'localStorage',
  parse: parseUser,
  print: JSON.stringify,
});

export const storedSelectedEvent = declare<SelectedEvent>({
  key: 'selectedEvent',
  area: 'localStorage',
  parse: parseEvent,
  print: JSON.stringify,
  dropBroken: true,
  // Two tabs may work on two events, and an upload must not end because the other one turns to another.
  perTab: true,
});

/** What is left of upload batches, one for an event, so that they can be gone on with after the page was closed. */
export const storedBatches = declare<readonly UnfinishedBatch[]>({
  key: 'unfinishedUploads',
  area: 'localStorage',
  parse: parseBatches,
  print: printBatches,
  dropBroken: true,
});

export const storedDownloads = declare<string[]>({
  key: 'downloadedMatches',
  area: 'localStorage',
  parse: parseIds,
  print: JSON.stringify,
});

/** A face search's answer, as JSON of unknown shape: the reader checks it. One value per event, so that no event shows another's. */
export const storedSearch = (slug: string): StoredValue<unknown> =>
  declare<unknown>({
    key: `faceSearch:${slug}`,
    area: 'sessionStorage',
    parse: parseJson,
    print: JSON.stringify,
    dropBroken: true,
  });

/** The selfie's preview as a data URL, per event. */
export const storedPreview = (slug: string): StoredValue<string> =>
  declare<string>({
    key: `facePreview:${slug}`,
    area: 'sessionStorage',
    parse: (text) => (text.startsWith('data:image/') ? text : null),
    print: (url) => url,
  });

/** Takes back the login: token, user and selected event. */
export function clearSession(): void {
  storedToken.remove();
  storedUser.remove();
  storedSelectedEvent.remove();
}
