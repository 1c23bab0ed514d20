import { defineStoredValue, parseJson, type StoredValue } from './storage';

/** What this device keeps of a guest's search, with the guest's consent. */
export interface KeptSearch {
  /** The server's, which alone can read it. */
  key: string;
  /** The photos that were shown. */
  seen: readonly string[];
  /** The version of the notice that the guest has agreed to; not there where it was kept before that was noted. */
  notice?: unknown;
  /** How the search was adjusted last, as JSON that the reader validates. */
  strictness?: unknown;
  rejected?: unknown;
}

function parseKept(text: string): KeptSearch | null {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return null;
  const { key, seen, ...adjusted } = value as Record<string, unknown>;
  if (typeof key !== 'string' || !Array.isArray(seen)) return null;
  return { key, seen: seen.filter((id) => typeof id === 'string'), ...adjusted };
}

export const storedKeptSearch = (slug: string): StoredValue<KeptSearch> =>
  defineStoredValue<KeptSearch>({
    key: `keptSearch:${slug}`,
    area: 'localStorage',
    parse: parseKept,
    serialize: JSON.stringify,
    removeInvalid: true,
  });
