import { defineStoredValue, parseJson, type StoredValue } from './storage';

/** A photo on which this device has put a heart, or has taken it back while the photographer's number still has it. */
export interface Heart {
  photo: string;
  /** By which the server knows the photo. */
  key: string;
  on: boolean;
  /** Whether the photographer's number has it. */
  counted: boolean;
}

function parseHearts(text: string): Heart[] | null {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return null;
  return (parsed as unknown[]).flatMap((each) => {
    const { photo, key, on, counted } = (each ?? {}) as Record<string, unknown>;
    return typeof photo === 'string' && typeof key === 'string'
      ? [{ photo, key, on: on === true, counted: counted === true }]
      : [];
  });
}

/** The hearts of this device, per event. */
export const storedHearts = (slug: string): StoredValue<readonly Heart[]> =>
  defineStoredValue<readonly Heart[]>({
    key: `hearts:${slug}`,
    area: 'localStorage',
    parse: parseHearts,
    serialize: JSON.stringify,
  });
