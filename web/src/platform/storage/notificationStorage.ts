import { defineStoredValue, parseJson } from './storage';

/** The notifications of the bell, as JSON that the reader validates. */
export const storedNotifications = defineStoredValue<readonly unknown[]>({
  key: 'notifications',
  area: 'sessionStorage',
  parse: (text) => {
    const parsed = parseJson(text);
    return Array.isArray(parsed) ? (parsed as unknown[]) : null;
  },
  serialize: JSON.stringify,
  removeInvalid: true,
});
