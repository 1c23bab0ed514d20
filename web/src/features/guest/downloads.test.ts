import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../shared/api/errors';
import {
  bulkGap,
  bulkMessage,
  downloadAll,
  downloadedText,
  type DownloadEvent,
  downloadFailedText,
  downloadMatch,
  notAvailableText,
  reasonOf,
  reduceDownloads,
  type Steps,
} from './downloads';
import { match, matchList } from './testing';

const photo = new Blob(['photo']);
const neverAborted = new AbortController().signal;
let events: DownloadEvent[] = [];
const report = (event: DownloadEvent) => void events.push(event);

beforeEach(() => {
  events = [];
});

function stepsWith(overrides: Partial<Steps> = {}) {
  const steps = {
    linkFor: vi.fn((key: string) => Promise.resolve(`link of ${key}`)),
    fetchPhoto: vi.fn((_link: string, onProgress: (share: number) => void) => {
      onProgress(0.5);
      return Promise.resolve(photo);
    }),
    save: vi.fn<Steps['save']>(),
    pause: vi.fn<Steps['pause']>(() => Promise.resolve()),
  };
  return { ...steps, ...(overrides as Partial<typeof steps>) };
}

describe('one photo', () => {
  test('[DOWN002] [DOWN004] [DOWN005] asks for a link, fetches the bytes with progress and saves them', async () => {
    const steps = stepsWith();
    expect(await downloadMatch(match(1), 'one.jpg', steps, report, neverAborted)).toBe(true);
    expect(steps.linkFor).toHaveBeenCalledWith('events/1', neverAborted);
    expect(steps.fetchPhoto).toHaveBeenCalledWith('link of events/1', expect.any(Function), neverAborted);
    expect(steps.save).toHaveBeenCalledExactlyOnceWith(photo, 'one.jpg');
    expect(events).toEqual([
      { type: 'started', id: 'photo-1' },
      { type: 'progressed', id: 'photo-1', share: 0.5 },
      { type: 'completed', id: 'photo-1' },
    ]);
  });

  test('a match without s3_key is fetched by its url', async () => {
    const steps = stepsWith();
    await downloadMatch(match(1, { s3_key: null, url: 'direct' }), 'one.jpg', steps, report, neverAborted);
    expect(steps.linkFor).not.toHaveBeenCalled();
    expect(steps.fetchPhoto).toHaveBeenCalledWith('direct', expect.any(Function), neverAborted);
  });

  test('[DOWN001] [DOWN005] a match with neither url nor s3_key fails and says why', async () => {
    const steps = stepsWith();
    const nowhere = match(1, { s3_key: null, url: null });
    expect(await downloadMatch(nowhere, 'one.jpg', steps, report, neverAborted)).toBe(false);
    expect(notAvailableText).toBe('Download URL not available for this photo.');
    expect(events.at(-1)).toEqual({ type: 'failed', id: 'photo-1', reason: notAvailableText });
    expect(steps.save).not.toHaveBeenCalled();
  });

  test('one that was called off is no failure', async () => {
    const controller = new AbortController();
    const steps = stepsWith({
      fetchPhoto: () => {
        controller.abort();
        return Promise.reject(new DOMException('gone', 'AbortError'));
      },
    });
    expect(await downloadMatch(match(1), 'one.jpg', steps, report, controller.signal)).toBe(false);
    expect(events.at(-1)).toEqual({ type: 'cancelled', id: 'photo-1' });
  });
});

describe('all photos', () => {
  test('[DOWN008] [DOWN009] [CONST018] are saved in order, half a second apart', async () => {
    const steps = stepsWith();
    expect(await downloadAll(matchList(3), steps, report, neverAborted)).toBe(3);
    expect(steps.save.mock.calls.map(([, name]) => name)).toEqual([
      'photo-1.jpg',
      'photo-2.jpg',
      'photo-3.jpg',
    ]);
    expect(steps.pause.mock.calls).toEqual([
      [500, neverAborted],
      [500, neverAborted],
    ]);
    expect(bulkGap).toBe(500);
  });

  test('[DOWN019] one that fails stops nothing', async () => {
    const steps = stepsWith({
      linkFor: (key) => (key === 'events/2' ? Promise.reject(new Error('no')) : Promise.resolve(key)),
    });
    expect(await downloadAll(matchList(3), steps, report, neverAborted)).toBe(2);
    expect(steps.save).toHaveBeenCalledTimes(2);
  });

  test('end when they are called off', async () => {
    const controller = new AbortController();
    const steps = stepsWith({ save: () => controller.abort() });
    expect(await downloadAll(matchList(5), steps, report, controller.signal)).toBe(1);
  });
});

test('[DOWN013] [DOWN014] the texts of a single download', () => {
  expect(downloadedText).toBe('Photo downloaded successfully!');
  expect(downloadFailedText).toBe('Failed to download photo. Please try again.');
});

test.each([
  ['[DOWN012]', 0, 0, 'error', 'No photos to download.'],
  ['[DOWN017]', 3, 3, 'success', 'All 3 photos downloaded successfully.'],
  ['[DOWN018]', 2, 3, 'success', '2 out of 3 photos downloaded successfully.'],
  ['[DOWN015]', 0, 1, 'error', 'Failed to download photo. Please try downloading them individually.'],
  ['[DOWN016]', 0, 3, 'error', 'Failed to download some photos. Please try downloading them individually.'],
])('%s after a run that saved %i of %i photos', (_id, saved, total, tone, text) => {
  expect(bulkMessage(saved, total)).toEqual({ tone, text });
});

test('[DOWN005] a photo is downloading with its share, then complete or failed', () => {
  const first = reduceDownloads({}, { type: 'progressed', id: 'a', share: 0.4 });
  expect(first).toEqual({ a: { phase: 'downloading', share: 0.4 } });
  expect(reduceDownloads(first, { type: 'completed', id: 'a' })).toEqual({});
  expect(reduceDownloads(first, { type: 'failed', id: 'a', reason: 'why' })).toEqual({
    a: { phase: 'failed', reason: 'why' },
  });
});

describe('why a photo could not be fetched', () => {
  const lost = new TypeError('Load failed');
  test.each([
    ['offline', lost, false, 'You are offline'],
    ['no answer', lost, true, 'The server could not be reached'],
    ['no answer to a call', new ApiError(0, 'x', {}, lost), true, 'The server could not be reached'],
    ['too slow', new DOMException('x', 'TimeoutError'), true, 'The connection is too slow'],
    ['the server’s word', new ApiError(404, 'Photo not found'), true, 'Photo not found'],
  ])('%s', (_, error, onLine, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
    expect(reasonOf(error)).toBe(text);
  });
});
