import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import { bytesPerQuestion, type LookupPorts } from './lookups';
import type { QueueItem } from './queue';
import { queueStats } from './queueStats';
import { createUploader } from './uploader';

const file = (name: string, size = 1) => new File(['x'.repeat(size)], name, { type: 'image/jpeg' });
const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;

/** An uploader whose server has the files with these names; a file's hash is its name. */
function setUp(there: readonly string[], overrides: Partial<LookupPorts> = {}) {
  const uploads = new Map<string, (outcome: UploadOutcome) => void>();
  const upload = vi.fn(
    (item: QueueItem) => new Promise<UploadOutcome>((settle) => uploads.set(item.filename, settle)),
  );
  const hash = vi.fn(({ name }: File): Promise<string | null> => Promise.resolve(name));
  const findKnown = vi.fn<LookupPorts['findKnown']>((hashes) =>
    Promise.resolve(
      new Map(hashes.filter((each) => there.includes(each)).map((each) => [each, `p-${each}`])),
    ),
  );
  const stop = vi.fn();
  const uploader = createUploader({
    upload,
    findStored: () => Promise.resolve('missing'),
    measure: () => Promise.resolve('fast'),
    waitUntilReachable: () => Promise.resolve(),
    lookups: { hasher: { hash, stop }, findKnown, mayHavePhotos: () => true, ...overrides },
  });
  const sent = () => upload.mock.calls.map(([{ filename }]) => filename);
  const states = () => uploader.getSnapshot().items.map(({ status, duplicate }) => `${status} ${duplicate}`);
  return { uploader, uploads, upload, hash, findKnown, stop, sent, states };
}

beforeEach(() => {
  vi.useFakeTimers();
});

describe('files that the server may have', () => {
  it('only those that are missing travel, and the others count as already there', async () => {
    const { uploader, uploads, sent, states, hash } = setUp(['a', 'c']);
    const finished = vi.fn();
    uploader.onBatchFinished(finished);
    uploader.add([file('a'), file('b'), file('c')], 'e1');
    await vi.advanceTimersByTimeAsync(1500);
    expect(sent()).toEqual(['b']);
    expect(states()).toEqual(['success true', 'uploading false', 'success true']);
    uploads.get('b')?.(accepted);
    await vi.advanceTimersByTimeAsync(0);
    expect(hash).toHaveBeenCalledTimes(3);
    expect(finished).toHaveBeenCalledOnce();
    expect(queueStats(uploader.getSnapshot())).toMatchObject({
      completed: 3,
      duplicates: 2,
      percentUploaded: 100,
      bytesUploaded: 3,
      bytesSent: 1,
    });
  });

  it('are asked about in questions that the server can answer by reading them', async () => {
    const { uploader, findKnown } = setUp([]);
    const large = (name: string) => {
      const made = file(name);
      Object.defineProperty(made, 'size', { value: bytesPerQuestion / 2 });
      return made;
    };
    uploader.pause();
    uploader.add(['a', 'b', 'c'].map(large), 'e1');
    await vi.advanceTimersByTimeAsync(1500);
    expect(findKnown.mock.calls.map(([hashes]) => hashes)).toEqual([['a', 'b'], ['c']]);
  });

  it('the first file travels after its own answer; the next ones are hashed and asked for together', async () => {
    const { uploader, findKnown, sent } = setUp([]);
    uploader.add(
      Array.from({ length: 450 }, (_, index) => file(`${index}`)),
      'e1',
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()[0]).toBe('0');
    await vi.advanceTimersByTimeAsync(2000);
    const sizes = findKnown.mock.calls.map(([hashes]) => hashes.length);
    expect(Math.max(...sizes)).toBe(200);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(450);
    expect(findKnown.mock.calls[0]?.[1]).toBe('e1');
  });

  it('an event without photos is not asked about, but files that follow others are', async () => {
    const { uploader, uploads, findKnown, sent } = setUp(['b'], { mayHavePhotos: () => false });
    uploader.add([file('a')], 'e1');
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual(['a']);
    expect(findKnown).not.toHaveBeenCalled();
    uploads.get('a')?.(accepted);
    await vi.advanceTimersByTimeAsync(0);
    uploader.add([file('b')], 'e1');
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual(['a']);
  });

  it('without an answer all files travel, and the question is repeated for those that still wait', async () => {
    const findKnown = vi
      .fn<LookupPorts['findKnown']>()
      .mockResolvedValueOnce(null)
      .mockResolvedValue(new Map([['e', 'p-e']]));
    const { uploader, uploads, sent } = setUp([], { findKnown });
    uploader.add(
      ['a', 'b', 'c', 'd', 'e'].map((name) => file(name)),
      'e1',
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(sent()).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(4800);
    expect(findKnown).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(200);
    expect(findKnown).toHaveBeenLastCalledWith(['d', 'e'], 'e1');
    for (const name of ['a', 'b', 'c']) uploads.get(name)?.(accepted);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual(['a', 'b', 'c', 'd']);
    expect(uploader.getSnapshot().items[4]).toMatchObject({ status: 'success', duplicate: true });
  });

  it('a file that cannot be hashed travels', async () => {
    const { uploader, sent } = setUp([], {
      hasher: { hash: () => Promise.resolve(null), stop: () => undefined },
    });
    uploader.add([file('a'), file('b')], 'e1');
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual(['a', 'b']);
  });

  it('an idle connection waits at most 2 s for a hash or an answer', async () => {
    const never = new Promise<never>(() => undefined);
    const { uploader, sent } = setUp([], { hasher: { hash: () => never, stop: () => undefined } });
    uploader.add([file('a'), file('b')], 'e1');
    await vi.advanceTimersByTimeAsync(1990);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(10);
    expect(sent()).toEqual(['a']);
  });

  it('a cleared queue asks nothing more, and the worker ends with the last hash', async () => {
    const { uploader, findKnown, stop } = setUp(['a']);
    uploader.add([file('a')], 'e1');
    uploader.clear();
    await vi.advanceTimersByTimeAsync(5000);
    expect(findKnown).not.toHaveBeenCalled();
    expect(uploader.getSnapshot().items).toEqual([]);
    stop.mockClear();
    uploader.add([file('a')], 'e1');
    await vi.advanceTimersByTimeAsync(1000);
    expect(uploader.getSnapshot().items[0]).toMatchObject({ status: 'success', duplicate: true });
    expect(stop).toHaveBeenCalled();
  });
});
