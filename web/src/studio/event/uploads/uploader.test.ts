import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import type { ConnectionSpeed, QueueItem } from './queue';
import { createUploader, type UploaderPorts } from './uploader';

const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;

/** Mock ports whose `upload` stays pending until the test settles it. */
function mockPorts(overrides: Partial<UploaderPorts> = {}) {
  const uploads = new Map<
    string,
    { settle: (outcome: UploadOutcome) => void; progress: (f: number) => void; signal: AbortSignal }
  >();
  return {
    uploads,
    upload: vi.fn(
      (item: QueueItem, progress: (fraction: number) => void, signal: AbortSignal) =>
        new Promise<UploadOutcome>((settle) => uploads.set(item.filename, { settle, progress, signal })),
    ),
    findStored: vi.fn((): ReturnType<UploaderPorts['findStored']> => Promise.resolve('stored')),
    waitUntilReachable: vi.fn(() => Promise.resolve()),
    measure: vi.fn((): Promise<ConnectionSpeed> => Promise.resolve('fast')),
    ...overrides,
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

describe('the uploader', () => {
  it('measures the connection, then starts automatically, three at a time [UPL032] [UPL038] [UPL049] (U54)', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    expect(uploader.getSnapshot().speed).toBe('unknown');
    uploader.add(['a', 'b', 'c', 'd'].map(file), 'e1');
    await settled();
    expect(ports.measure).toHaveBeenCalledOnce();
    expect([...ports.uploads.keys()]).toEqual(['a', 'b', 'c']);
    ports.uploads.get('b')?.settle(accepted);
    await settled();
    expect([...ports.uploads.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('starts files that are added while it is running [UPL033]', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    await settled();
    uploader.add([file('b')], 'e1');
    expect([...ports.uploads.keys()]).toEqual(['a', 'b']);
    expect(ports.measure).toHaveBeenCalledOnce();
  });

  it('reports progress [UPL058]', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    await settled();
    ports.uploads.get('a')?.progress(0.5);
    expect(uploader.getSnapshot().items[0]?.progress).toBe(50);
  });

  it('searches 2 s after an unknown outcome, not before [UPL023] [CONST010]', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    await settled();
    ports.uploads.get('a')?.settle({ kind: 'unknown' });
    await vi.advanceTimersByTimeAsync(1999);
    expect(uploader.getSnapshot().items[0]?.status).toBe('verifying');
    expect(ports.findStored).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(uploader.getSnapshot().items[0]).toMatchObject({ status: 'success', verified: true });
  });

  it('goes on after a cut without a search, and waits for the server if nothing came through', async () => {
    let found: () => void = () => undefined;
    const ports = mockPorts({ waitUntilReachable: () => new Promise((resolve) => (found = resolve)) });
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    await settled();
    ports.uploads.get('a')?.settle({ kind: 'cut', reached: true, moved: true });
    await settled();
    expect(uploader.getSnapshot()).toMatchObject({ disconnected: false });
    await vi.advanceTimersByTimeAsync(2000);
    expect(ports.upload).toHaveBeenCalledTimes(2);
    ports.uploads.get('a')?.settle({ kind: 'cut', reached: false, moved: false });
    await settled();
    expect(uploader.getSnapshot()).toMatchObject({ disconnected: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ports.upload).toHaveBeenCalledTimes(2);
    found();
    await vi.advanceTimersByTimeAsync(4000);
    expect(ports.upload).toHaveBeenCalledTimes(3);
    expect(ports.findStored).not.toHaveBeenCalled();
  });

  it('pauses while the server is unreachable, then repeats the search', async () => {
    let found: () => void = () => undefined;
    const answers: Awaited<ReturnType<UploaderPorts['findStored']>>[] = ['unreachable', 'missing'];
    const ports = mockPorts({
      findStored: () => Promise.resolve(answers.shift() ?? 'stored'),
      waitUntilReachable: () => new Promise((resolve) => (found = resolve)),
    });
    const uploader = createUploader(ports);
    uploader.add(['a', 'b', 'c', 'd'].map(file), 'e1');
    await settled();
    ports.uploads.get('a')?.settle({ kind: 'unknown' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(uploader.getSnapshot()).toMatchObject({ disconnected: true });
    expect(uploader.getSnapshot().items[0]?.status).toBe('verifying');
    ports.uploads.get('b')?.settle(accepted);
    await settled();
    expect(ports.uploads.has('d')).toBe(false);
    found();
    await settled();
    expect(uploader.getSnapshot()).toMatchObject({ disconnected: false });
    expect(uploader.getSnapshot().items[0]?.status).toBe('error');
    expect(ports.uploads.has('d')).toBe(true);
  });

  it('enqueues 5,000 files in chunks, and stops when it is cleared', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    const many = Array.from({ length: 5000 }, (_, index) => file(`${index}`));
    uploader.add(many, 'e1');
    await settled();
    expect(uploader.getSnapshot().items.length).toBeLessThan(5000);
    await vi.runAllTimersAsync();
    expect(uploader.getSnapshot().items).toHaveLength(5000);
    uploader.clear();
    uploader.add(many, 'e1');
    await settled();
    uploader.clear();
    await vi.runAllTimersAsync();
    expect(uploader.getSnapshot().items).toHaveLength(0);
  });

  it('notifies of transfer updates at most every 100 ms, and of commands immediately', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    await settled();
    const listener = vi.fn();
    uploader.subscribe(listener);
    for (let step = 1; step <= 50; step += 1) ports.uploads.get('a')?.progress(step / 100);
    expect(listener).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(listener).toHaveBeenCalledOnce();
    uploader.pause();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('notifies once when a batch is finished', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    const listener = vi.fn();
    uploader.onBatchFinished(listener);
    uploader.add([file('a'), file('b')], 'e1');
    await settled();
    ports.uploads.get('a')?.settle(accepted);
    ports.uploads.get('b')?.settle({ kind: 'rejected', status: 500, error: undefined });
    await settled();
    expect(listener).toHaveBeenCalledOnce();
    expect(listener).toHaveBeenCalledWith(expect.objectContaining({ completed: 1, failed: 1 }));
  });

  it('aborts running uploads when they are cleared or removed (U52)', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    const listener = vi.fn();
    uploader.onBatchFinished(listener);
    uploader.add(['a', 'b'].map(file), 'e1');
    await settled();
    const [first] = uploader.getSnapshot().items;
    uploader.remove(first?.id ?? '');
    expect(ports.uploads.get('a')?.signal.aborted).toBe(true);
    uploader.clear();
    expect(ports.uploads.get('b')?.signal.aborted).toBe(true);
    expect(uploader.getSnapshot().items).toEqual([]);
    ports.uploads.get('b')?.settle(accepted);
    await settled();
    expect(uploader.getSnapshot().items).toEqual([]);
    expect(listener).not.toHaveBeenCalled();
  });

  it('uploads nothing while paused, and retries failed items', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.pause();
    uploader.add([file('a')], 'e1');
    await settled();
    expect(ports.upload).not.toHaveBeenCalled();
    uploader.resume();
    expect(ports.upload).toHaveBeenCalledOnce();
    ports.uploads.get('a')?.settle({ kind: 'rejected', status: 500, error: undefined });
    await settled();
    uploader.retry();
    expect(ports.upload).toHaveBeenCalledTimes(2);
  });

  it('lists files at once, and starts them when the connection is measured', async () => {
    let measured: (speed: ConnectionSpeed) => void = () => undefined;
    const ports = mockPorts({ measure: () => new Promise((resolve) => (measured = resolve)) });
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    expect(uploader.getSnapshot().items.map(({ filename, status }) => [filename, status])).toEqual([
      ['a', 'pending'],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ports.upload).not.toHaveBeenCalled();
    measured('fast');
    await settled();
    expect(ports.upload).toHaveBeenCalledOnce();
  });
});

describe('an upload that the network failed', () => {
  const item = (uploader: ReturnType<typeof createUploader>, name: string) =>
    uploader.getSnapshot().items.find(({ filename }) => filename === name);
  const unavailable = (status: number): UploadOutcome => ({ kind: 'rejected', status, error: undefined });

  // The pauses grow from 2 s to 60 s.
  it('passes verifying and error, and is then tried again after growing pauses', async () => {
    const ports = mockPorts({ findStored: () => Promise.resolve('missing') });
    const uploader = createUploader(ports);
    const finished = vi.fn();
    uploader.onBatchFinished(finished);
    uploader.add([file('a')], 'e1');
    await settled();
    let uploads = 1;
    for (const pause of [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      ports.uploads.get('a')?.settle({ kind: 'unknown' });
      await settled();
      expect(item(uploader, 'a')?.status).toBe('verifying');
      await vi.advanceTimersByTimeAsync(2000);
      expect(item(uploader, 'a')).toMatchObject({
        status: 'error',
        error:
          'Upload timed out and could not be verified. Please check if the photo was uploaded successfully.',
      });
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(ports.upload).toHaveBeenCalledTimes(uploads);
      await vi.advanceTimersByTimeAsync(1);
      expect(ports.upload).toHaveBeenCalledTimes((uploads += 1));
      expect(item(uploader, 'a')?.status).toBe('uploading');
    }
    expect(finished).not.toHaveBeenCalled();
    ports.uploads.get('a')?.settle(accepted);
    await settled();
    expect(finished).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ completed: 1, failed: 0 }));
  });

  it('is tried again after a 502 or 503, and never after a refusal of the photo', async () => {
    for (const status of [502, 503]) {
      const ports = mockPorts();
      const uploader = createUploader(ports);
      uploader.add([file('a')], 'e1');
      await settled();
      ports.uploads.get('a')?.settle(unavailable(status));
      await settled();
      expect(item(uploader, 'a')).toMatchObject({ status: 'error', error: 'Upload failed' });
      await vi.advanceTimersByTimeAsync(2000);
      expect(ports.upload).toHaveBeenCalledTimes(2);
    }
    for (const status of [400, 402, 404, 409, 413, 415, 500]) {
      const ports = mockPorts();
      const uploader = createUploader(ports);
      uploader.add([file('a')], 'e1');
      await settled();
      ports.uploads.get('a')?.settle(unavailable(status));
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(ports.upload).toHaveBeenCalledOnce();
    }
  });

  it('does not fail a whole batch while the server is down: one photo at a time asks whether it is back', async () => {
    let down = true;
    const upload = vi.fn(() => Promise.resolve(down ? unavailable(503) : accepted));
    const uploader = createUploader(mockPorts({ upload }));
    uploader.add(
      Array.from({ length: 90 }, (_, index) => file(`${index}`)),
      'e1',
    );
    await vi.advanceTimersByTimeAsync(600_000);
    const failed = uploader.getSnapshot().items.filter(({ status }) => status === 'error');
    expect(failed.length).toBeLessThan(20);
    expect(upload.mock.calls.length).toBeLessThan(60);
    down = false;
    await vi.advanceTimersByTimeAsync(65_000);
    expect(uploader.getSnapshot().items.every(({ status }) => status === 'success')).toBe(true);
  });

  it('does not hold up the others when its own upload fails every time', async () => {
    const upload = vi.fn((each: QueueItem) =>
      Promise.resolve(each.filename.startsWith('poison') ? unavailable(502) : accepted),
    );
    const uploader = createUploader(mockPorts({ upload }));
    uploader.add(['poison1', 'poison2', 'poison3', 'poison4', 'a', 'b', 'c', 'd', 'e'].map(file), 'e1');
    await vi.advanceTimersByTimeAsync(30_000);
    const stored = uploader.getSnapshot().items.filter(({ status }) => status === 'success');
    expect(stored.map(({ filename }) => filename)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('is not tried again once it is removed or the queue is cleared', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.add(['a', 'b'].map(file), 'e1');
    await settled();
    ports.uploads.get('a')?.settle(unavailable(503));
    ports.uploads.get('b')?.settle(unavailable(503));
    await settled();
    uploader.remove(item(uploader, 'a')?.id ?? '');
    uploader.clear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ports.upload).toHaveBeenCalledTimes(2);
  });

  it('waits with the rest while the batch is paused', async () => {
    const ports = mockPorts();
    const uploader = createUploader(ports);
    uploader.add([file('a')], 'e1');
    await settled();
    uploader.pause();
    ports.uploads.get('a')?.settle(unavailable(503));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ports.upload).toHaveBeenCalledOnce();
    uploader.resume();
    expect(ports.upload).toHaveBeenCalledTimes(2);
  });
});
