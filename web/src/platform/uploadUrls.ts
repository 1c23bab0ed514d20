import { defineStoredValue, parseJson } from './storage/storage';

/** Where an upload in pieces goes on: the server keeps what it has of it for three days. */
export interface UploadUrl {
  /** Identifies the file and its event. */
  key: string;
  url: string;
}

const isUploadUrl = (value: unknown): value is UploadUrl =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'url' in value &&
  typeof value.url === 'string';

/** The uploads in pieces that are not complete, the latest first. */
export const storedUploadUrls = defineStoredValue<readonly UploadUrl[]>({
  key: 'uploadUrls',
  area: 'localStorage',
  parse: (text) => {
    const parsed = parseJson(text);
    return Array.isArray(parsed) && parsed.every(isUploadUrl) ? parsed : null;
  },
  serialize: JSON.stringify,
  removeInvalid: true,
});
