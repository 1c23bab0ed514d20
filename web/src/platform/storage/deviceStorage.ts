import { defineStoredValue, type StoredValue } from './storage';

/** The secret of this device. Another one for each event: nothing on the server tells that the same device was at two. */
export const storedDevice = (slug: string): StoredValue<string> =>
  defineStoredValue<string>({
    key: `guestDevice:${slug}`,
    area: 'localStorage',
    parse: (text) => (/^[\w-]{43}$/.test(text) ? text : null),
    serialize: (secret) => secret,
    removeInvalid: true,
  });
