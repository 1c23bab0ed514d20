import { describe, expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { findStoredPhoto } from './uploads';
import type { QueueItem } from './queue';

const item = {
  file: new File(['bytes'], 'DSC_0001.jpg'),
  filename: 'DSC_0001.jpg',
  size: 5,
  eventId: 'e1',
} as QueueItem;
const answers = (...photos: ReturnType<typeof aPhoto>[]) =>
  mockServer({
    'GET /api/photos/search': () => json({ photos, total_count: photos.length, next_cursor: null }),
    'POST /api/photos/known': () => json({ known: ['there'], photo_ids: ['p1'] }),
  });
const hash = (value: string | null) => () => Promise.resolve(value);
const find = (value: string | null = 'there') => findStoredPhoto(item, hash(value));

describe('verifying an upload', () => {
  it('searches the event for the exact file name, so that 200 other photos do not matter [UPL023] [UPL028] (X19)', async () => {
    const server = answers(aPhoto({ size_bytes: 5 }));
    expect(await find()).toBe('stored');
    expect(Object.fromEntries(server.calls[0]?.query ?? [])).toEqual({
      filename: 'DSC_0001.jpg',
      event_id: 'e1',
    });
  });

  it('compares original_filename and filename [UPL027]', async () => {
    answers(aPhoto({ size_bytes: 5, original_filename: 'other.jpg' }));
    expect(await find()).toBe('stored');
    answers(aPhoto({ size_bytes: 5, filename: 'stored.jpg' }));
    expect(await find()).toBe('stored');
    answers(aPhoto({ size_bytes: 5, filename: 'a.jpg', original_filename: 'a.jpg' }));
    expect(await find()).toBe('missing');
  });

  it('believes no name and no size where the bytes are others [UPL213]', async () => {
    const server = answers(aPhoto({ size_bytes: 5 }));
    expect(await find('edited')).toBe('missing');
    expect(server.calls.at(-1)?.path).toBe('/api/photos/known');
    expect(await find(null)).toBe('missing');
    mockServer({
      'GET /api/photos/search': () =>
        json({ photos: [aPhoto({ size_bytes: 5 })], total_count: 1, next_cursor: null }),
      'POST /api/photos/known': () => {
        throw new TypeError('offline');
      },
    });
    expect(await find()).toBe('unreachable');
  });

  it('ignores an older photo of the same name with another size (U53)', async () => {
    answers(aPhoto({ size_bytes: 6 }));
    expect(await find()).toBe('missing');
  });

  it('distinguishes an error response from an unreachable server', async () => {
    mockServer({ 'GET /api/photos/search': () => errorResponse(500) });
    expect(await find()).toBe('missing');
    mockServer({
      'GET /api/photos/search': () => {
        throw new TypeError('offline');
      },
    });
    expect(await find()).toBe('unreachable');
  });
});
