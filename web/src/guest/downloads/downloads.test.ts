import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { match, matchList } from '../testing';
import {
  bulkDownloadInterval,
  bulkMessage,
  downloadAll,
  downloadedText,
  type DownloadEvent,
  downloadFailedText,
  downloadMatch,
  type DownloadPorts,
  downloadsReducer,
  failureReason,
  notAvailableText,
} from './downloads';

const photo = new Blob(['photo']);
const neverAborted = new AbortController().signal;
let events: DownloadEvent[] = [];
const report = (event: DownloadEvent) => void events.push(event);

beforeEach(() => {
  events = [];
});

function mockPorts(overrides: Partial<DownloadPorts> = {}) {
  const ports = {
    fetchDownloadUrl: vi.fn((key: string) => Promise.resolve(`link of ${key}`)),
    fetchPhoto: vi.fn((_link: string, onProgress: (share: number) => void) => {
      onProgress(0.5);
      return Promise.resolve(photo);
    }),
    save: vi.fn<DownloadPorts['save']>(),
    delay: vi.fn<DownloadPorts['delay']>(() => Promise.resolve()),
  };
  return { ...ports, ...(overrides as Partial<typeof ports>) };
}

describe('one photo', () => {
  test('[DOWN002] [DOWN004] [DOWN005] fetches the URL, then the bytes with progress, and saves them', async () => {
    const ports = mockPorts();
    expect(await downloadMatch(match(1), 'one.jpg', ports, report, neverAborted)).toBe(true);
    expect(ports.fetchDownloadUrl).toHaveBeenCalledWith('events/1', neverAborted);
    expect(ports.fetchPhoto).toHaveBeenCalledWith('link of events/1', expect.any(Function), neverAborted);
    expect(ports.save).toHaveBeenCalledExactlyOnceWith(photo, 'one.jpg');
    expect(events).toEqual([
      { type: 'started', id: 'photo-1' },
      { type: 'progressed', id: 'photo-1', share: 0.5 },
      { type: 'completed', id: 'photo-1' },
    ]);
  });

  test('a match without s3_key is fetched by its url', async () => {
    const ports = mockPorts();
    await downloadMatch(match(1, { s3_key: null, url: 'direct' }), 'one.jpg', ports, report, neverAborted);
    expect(ports.fetchDownloadUrl).not.toHaveBeenCalled();
    expect(ports.fetchPhoto).toHaveBeenCalledWith('direct', expect.any(Function), neverAborted);
  });

  test('[DOWN001] [DOWN005] a match with neither url nor s3_key fails with the reason', async () => {
    const ports = mockPorts();
    const nowhere = match(1, { s3_key: null, url: null });
    expect(await downloadMatch(nowhere, 'one.jpg', ports, report, neverAborted)).toBe(false);
    expect(notAvailableText()).toBe('Download URL not available for this photo.');
    expect(events.at(-1)).toEqual({
      type: 'failed',
      id: 'photo-1',
      reason: notAvailableText(),
      transient: false,
    });
    expect(ports.save).not.toHaveBeenCalled();
  });

  test('a cancelled download is no failure', async () => {
    const controller = new AbortController();
    const ports = mockPorts({
      fetchPhoto: () => {
        controller.abort();
        return Promise.reject(new DOMException('gone', 'AbortError'));
      },
    });
    expect(await downloadMatch(match(1), 'one.jpg', ports, report, controller.signal)).toBe(false);
    expect(events.at(-1)).toEqual({ type: 'cancelled', id: 'photo-1' });
  });
});

describe('all photos', () => {
  test('[DOWN008] [DOWN009] [CONST018] are saved in order, half a second apart', async () => {
    const ports = mockPorts();
    expect(await downloadAll(matchList(3), ports, report, neverAborted)).toBe(3);
    expect(ports.save.mock.calls.map(([, name]) => name)).toEqual([
      'photo-1.jpg',
      'photo-2.jpg',
      'photo-3.jpg',
    ]);
    expect(ports.delay.mock.calls).toEqual([
      [500, neverAborted],
      [500, neverAborted],
    ]);
    expect(bulkDownloadInterval).toBe(500);
  });

  test('[DOWN019] a failure does not stop the others', async () => {
    const ports = mockPorts({
      fetchDownloadUrl: (key) =>
        key === 'events/2' ? Promise.reject(new Error('no')) : Promise.resolve(key),
    });
    expect(await downloadAll(matchList(3), ports, report, neverAborted)).toBe(2);
    expect(ports.save).toHaveBeenCalledTimes(2);
  });

  test('stop when they are cancelled', async () => {
    const controller = new AbortController();
    const ports = mockPorts({ save: () => controller.abort() });
    expect(await downloadAll(matchList(5), ports, report, controller.signal)).toBe(1);
  });
});

test('[DOWN013] [DOWN014] the texts of a single download', () => {
  expect(downloadedText()).toBe('Photo downloaded successfully!');
  expect(downloadFailedText()).toBe('Failed to download photo. Please try again.');
});

test.each([
  [0, 0, 'error', 'No photos to download.'],
  [3, 3, 'success', 'All 3 photos downloaded successfully.'],
  [2, 3, 'success', '2 out of 3 photos downloaded successfully.'],
  [0, 1, 'error', 'Failed to download photo. Please try downloading them individually.'],
  [0, 3, 'error', 'Failed to download some photos. Please try downloading them individually.'],
])(
  '[DOWN012] [DOWN015] [DOWN016] [DOWN017] [DOWN018] after a bulk download that saved %i of %i photos',
  (saved, total, tone, text) => {
    expect(bulkMessage(saved, total)).toEqual({ tone, text });
  },
);

test('[DOWN005] a photo is downloading with its progress, then complete or failed', () => {
  const first = downloadsReducer({}, { type: 'progressed', id: 'a', share: 0.4 });
  expect(first).toEqual({ a: { phase: 'downloading', share: 0.4 } });
  expect(downloadsReducer(first, { type: 'completed', id: 'a' })).toEqual({});
  expect(downloadsReducer(first, { type: 'failed', id: 'a', reason: 'why', transient: false })).toEqual({
    a: { phase: 'failed', reason: 'why' },
  });
});

describe('the reason of a failed download', () => {
  const lost = new TypeError('Load failed');
  test.each([
    ['offline', lost, false, 'You are offline'],
    ['no response', lost, true, 'The server could not be reached'],
    ['no response to an API call', new ApiError(0, 'x', {}, lost), true, 'The server could not be reached'],
    ['too slow', new DOMException('x', 'TimeoutError'), true, 'The connection is too slow'],
    ['the server’s message', new ApiError(404, 'Photo not found'), true, 'Photo not found'],
  ])('%s', (_, error, onLine, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
    expect(failureReason(error)).toBe(text);
  });
});
