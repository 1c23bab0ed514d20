import { defineStoredValue, type StoredValue } from './storage';

/** Whether this device has asked to be told of new photos, per event. */
export const storedAsked = (slug: string): StoredValue<true> =>
  defineStoredValue<true>({
    key: `askedToBeTold:${slug}`,
    area: 'localStorage',
    parse: (text) => (text === 'true' ? true : null),
    serialize: String,
  });
