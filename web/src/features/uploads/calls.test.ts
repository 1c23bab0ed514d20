import { describe, expect, it } from 'vitest';
import { aPhoto } from '../../shared/testing/fixtures';
import { errorResponse, json, mockServer } from '../../shared/testing/server';
import { lookFor } from './calls';
import type { QueueItem } from './queue';

const item = {
  filename: 'DSC_0001.jpg',
  size: 5,
  eventId: 'e1',
} as QueueItem;
const answers = (...photos: ReturnType<typeof aPhoto>[]) =>
  mockServer({
    'GET /api/photos/search': () => json({ photos, total_count: photos.length, next_cursor: null }),
  });

describe('verifying an upload', () => {
  it('asks the event for the exact file name, so that 200 other photos do not matter [UPL023] [UPL028] (X19)', async () => {
    const server = answers(aPhoto({ size_bytes: 5 }));
    expect(await lookFor(item)).toBe('stored');
    expect(Object.fromEntries(server.calls[0]?.query ?? [])).toEqual({
      filename: 'DSC_0001.jpg',
      event_id: 'e1',
    });
  });

  it('looks at original_filename and filename [UPL027]', async () => {
    answers(aPhoto({ size_bytes: 5, original_filename: 'other.jpg' }));
    expect(await lookFor(item)).toBe('stored');
    answers(aPhoto({ size_bytes: 5, filename: 'stored.jpg' }));
    expect(await lookFor(item)).toBe('stored');
    answers(aPhoto({ size_bytes: 5, filename: 'a.jpg', original_filename: 'a.jpg' }));
    expect(await lookFor(item)).toBe('missing');
  });

  it('is not fooled by an older photo of the same name (U53)', async () => {
    answers(aPhoto({ size_bytes: 6 }));
    expect(await lookFor(item)).toBe('missing');
  });

  it('tells a refusal from a server that does not answer', async () => {
    mockServer({ 'GET /api/photos/search': () => errorResponse(500) });
    expect(await lookFor(item)).toBe('missing');
    mockServer({
      'GET /api/photos/search': () => {
        throw new TypeError('offline');
      },
    });
    expect(await lookFor(item)).toBe('unreachable');
  });
});
