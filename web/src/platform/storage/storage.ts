/**
 * All values in the browser's storage, each key defined once with its parser.
 * A value that cannot be parsed reads as null; with `removeInvalid` it is removed as well.
 */

/** The cached account. */
export interface StoredUser {
  id?: string;
  name: string;
  email: string;
  is_photographer: boolean;
  is_admin?: boolean;
  email_verified?: boolean;
  premium?: boolean;
  pending_email?: string | null;
  pending_email_needs_agreement?: boolean;
}

/** The event selected in the navigation bar. */
export interface SelectedEvent {
  id: string;
  name: string;
  date: string;
  slug: string;
}

type AreaName = 'localStorage' | 'sessionStorage';

export interface StoredValue<T> {
  readonly key: string;
  /** Returns the same reference until the stored text changes. */
  readonly read: () => T | null;
  /** Returns false if the browser rejected it (quota exceeded, or storage disabled). */
  readonly write: (value: T) => boolean;
  readonly remove: () => void;
}

const listeners = new Set<() => void>();

/** Calls the listener when this tab or another changes a stored value. */
export function subscribeToStorage(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

export type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What replaces the browser's storage in this document. */
let memory: Record<AreaName, Area> | null = null;

/** From now on this document neither reads nor writes the browser's storage; to be called before anything is read. */
export function replaceStorage(areas: Record<AreaName, Area>): void {
  memory = areas;
}

// Access throws if the browser blocks storage: then nothing is persisted.
function storageArea(name: AreaName): Area | null {
  if (memory !== null) return memory[name];
  try {
    return window[name];
  } catch {
    return null;
  }
}

interface Definition<T> {
  key: string;
  area: AreaName;
  /** Returns null if the text is not a valid T. */
  parse: (text: string) => T | null;
  serialize: (value: T) => string;
  removeInvalid?: boolean;
  /** Writes of other tabs do not change the value in this tab; tabs opened later read them. */
  isolatedPerTab?: boolean;
}

/** Defines a value of the storage. Each key is defined once, here or in a file of what the page of guests does not load. */
export function defineStoredValue<T>({
  key,
  area,
  parse,
  serialize,
  removeInvalid,
  isolatedPerTab,
}: Definition<T>): StoredValue<T> {
  let cached: { text: string; value: T | null } | null = null;
  /** What this tab wrote or removed last. */
  let own: { value: T | null } | null = null;
  /** The value of this tab when another tab wrote for the first time. */
  let snapshot: { value: T | null } | null = null;
  if (isolatedPerTab === true) {
    // Registered before any subscriber, so that the snapshot exists when they read.
    window.addEventListener('storage', (event) => {
      if (event.key === null) {
        // Another tab cleared the whole storage, and with it the session that the value belongs to.
        own = { value: null };
        snapshot = null;
      } else if (event.key === key) {
        // The old value is that of this tab only if it did not write or remove its own since.
        snapshot ??= own ?? { value: event.oldValue === null ? null : parse(event.oldValue) };
      }
    });
  }
  return {
    key,
    read() {
      if (snapshot !== null) return snapshot.value;
      const text = storageArea(area)?.getItem(key) ?? null;
      if (text === null) return null;
      if (cached?.text !== text) cached = { text, value: parse(text) };
      if (cached.value === null && removeInvalid === true) storageArea(area)?.removeItem(key);
      return cached.value;
    },
    write(value) {
      own = { value };
      snapshot = null;
      try {
        storageArea(area)?.setItem(key, serialize(value));
      } catch {
        return false;
      }
      notifyListeners();
      return true;
    },
    remove() {
      own = { value: null };
      snapshot = null;
      storageArea(area)?.removeItem(key);
      notifyListeners();
    },
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function toRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function parseUser(text: string): StoredUser | null {
  const user = toRecord(parseJson(text));
  if (user === null) return null;
  const { id, name, email, is_photographer, is_admin, email_verified, premium } = user;
  const { pending_email, pending_email_needs_agreement: needsAgreement } = user;
  return {
    name: typeof name === 'string' ? name : '',
    email: typeof email === 'string' ? email : '',
    is_photographer: is_photographer === true,
    ...(typeof id === 'string' && { id }),
    ...(typeof is_admin === 'boolean' && { is_admin }),
    ...(typeof email_verified === 'boolean' && { email_verified }),
    ...(typeof premium === 'boolean' && { premium }),
    ...(typeof pending_email === 'string' && { pending_email }),
    ...(typeof needsAgreement === 'boolean' && { pending_email_needs_agreement: needsAgreement }),
  };
}

function parseEvent(text: string): SelectedEvent | null {
  const event = toRecord(parseJson(text));
  if (event === null) return null;
  const { id, name, date, slug } = event;
  const complete =
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof date === 'string' &&
    typeof slug === 'string';
  return complete ? { id, name, date, slug } : null;
}

export function parseIds(text: string): string[] | null {
  const ids = parseJson(text);
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : null;
}

export const storedToken = defineStoredValue<string>({
  key: 'token',
  area: 'localStorage',
  parse: (text) => (text === '' ? null : text),
  serialize: (token) => token,
});

export const storedUser = defineStoredValue<StoredUser>({
  key: 'user',
  area: 'localStorage',
  parse: parseUser,
  serialize: JSON.stringify,
});

export const storedSelectedEvent = defineStoredValue<SelectedEvent>({
  key: 'selectedEvent',
  area: 'localStorage',
  parse: parseEvent,
  serialize: JSON.stringify,
  removeInvalid: true,
  // Two tabs may use two events: an upload must not be cancelled because another tab selects another event.
  isolatedPerTab: true,
});

/** The slugs of events in which this device has found photos: it is counted once as a guest who was helped. */
export const storedFinds = defineStoredValue<string[]>({
  key: 'eventsWithMatches',
  area: 'localStorage',
  parse: parseIds,
  serialize: JSON.stringify,
});

/** Where a login leads back to, and why it is needed. */
export interface LoginReturn {
  /** The admin screen that was asked for, with its query. */
  path: string | null;
  /** Why the session ended, for the user. */
  reason: string | null;
}

export const isAdminScreen = (path: string): boolean => path.startsWith('/admin/');

function parseReturn(text: string): LoginReturn | null {
  const value = toRecord(parseJson(text));
  if (value === null) return null;
  const { path, reason } = value;
  return {
    path: typeof path === 'string' && isAdminScreen(path) ? path : null,
    reason: typeof reason === 'string' ? reason : null,
  };
}

export const storedReturn = defineStoredValue<LoginReturn>({
  key: 'loginReturn',
  area: 'sessionStorage',
  parse: parseReturn,
  serialize: JSON.stringify,
  removeInvalid: true,
});

/** The tag of the language that was chosen on this device. */
export const storedLanguage = defineStoredValue<string>({
  key: 'language',
  area: 'localStorage',
  parse: (text) => (text === '' ? null : text),
  serialize: (tag) => tag,
});

/** The proof that this device has entered the event's PIN, per event. */
export const storedAccess = (slug: string): StoredValue<string> =>
  defineStoredValue<string>({
    key: `eventAccess:${slug}`,
    area: 'localStorage',
    parse: (text) => (text === '' ? null : text),
    serialize: (proof) => proof,
  });

/** The result of a face search per event, as JSON that the reader validates. */
export const storedSearch = (slug: string): StoredValue<unknown> =>
  defineStoredValue<unknown>({
    key: `faceSearch:${slug}`,
    area: 'sessionStorage',
    parse: parseJson,
    serialize: JSON.stringify,
    removeInvalid: true,
  });

/** The selfie's preview as a data URL, per event. */
export const storedPreview = (slug: string): StoredValue<string> =>
  defineStoredValue<string>({
    key: `facePreview:${slug}`,
    area: 'sessionStorage',
    parse: (text) => (text.startsWith('data:image/') ? text : null),
    serialize: (url) => url,
  });

/** Removes token, user and selected event. */
export function clearSession(): void {
  storedToken.remove();
  storedUser.remove();
  storedSelectedEvent.remove();
}
