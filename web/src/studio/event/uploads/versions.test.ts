import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import type { LookupPorts } from './lookups';
import type { QueueItem } from './queue';
import { asksForVersions, filesToPay } from './queueHolds';
import { createUploader } from './uploader';
import type { VersionPorts } from './versionLookups';
import { type Version, versionState } from './versions';

const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;
const version = (filename: string, photoId = filename, free = true): Version => ({ photoId, filename, free });

type Answer = Awaited<ReturnType<VersionPorts['find']>>;

/** An uploader whose server has the photos that files of these names would replace, and files with the hashes, their names. */
function setUp(photos: Record<string, Version>, there: readonly string[] = []) {
  const settles = new Map<string, (outcome: UploadOutcome) => void>();
  const upload = vi.fn(
    ({ filename }: QueueItem) => new Promise<UploadOutcome>((settle) => settles.set(filename, settle)),
  );
  const find = vi.fn((names: readonly string[]): Promise<Answer> =>
    Promise.resolve(
      new Map(
        names.flatMap((name) => {
          const found = photos[name];
          return found === undefined ? [] : [[name, found] as const];
        }),
      ),
    ),
  );
  const waitUntilReachable = vi.fn(() => Promise.resolve());
  const findKnown = vi.fn<LookupPorts['findKnown']>((hashes) =>
    Promise.resolve(
      new Map(hashes.filter((each) => there.includes(each)).map((each) => [each, `p-${each}`])),
    ),
  );
  const hash = vi.fn(({ name }: File): Promise<string | null> => Promise.resolve(name));
  const uploader = createUploader({
    upload,
    findStored: () => Promise.resolve('missing'),
    measure: () => Promise.resolve('fast'),
    waitUntilReachable,
    lookups: { hasher: { hash, stop: () => undefined }, findKnown, mayHavePhotos: () => true },
    versions: { find, mayHavePhotos: () => true },
  });
  const sent = () => upload.mock.calls.map(([{ filename, replaces }]) => `${filename} ${replaces === true}`);
  const undecided = () => versionState(uploader.getSnapshot()).undecided.map(({ filename }) => filename);
  return { uploader, settles, find, findKnown, hash, waitUntilReachable, sent, undecided };
}

const aWhile = () => vi.advanceTimersByTimeAsync(1500);

beforeEach(() => {
  vi.useFakeTimers();
});

describe('files of the names of photos that are there', () => {
  it('wait with the whole drop until it is decided whether they replace [UPL245]', async () => {
    const { uploader, sent, undecided, find } = setUp({
      'a.jpg': version('A.CR3'),
      'b.jpg': version('b.jpg'),
    });
    uploader.add(['a.jpg', 'b.jpg', 'c.jpg'].map(file), 'e1');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(find).toHaveBeenCalledExactlyOnceWith(['a.jpg', 'b.jpg', 'c.jpg'], 'e1');
    expect(sent()).toEqual([]);
    expect(undecided()).toEqual(['a.jpg', 'b.jpg']);
    expect(filesToPay(uploader.getSnapshot())).toBe(3);
    uploader.decideVersions(true);
    await aWhile();
    expect(sent()).toEqual(['a.jpg true', 'b.jpg true', 'c.jpg false']);
    expect(filesToPay(uploader.getSnapshot())).toBe(1);
  });

  it('are other photos where both are kept, and are asked for again in the next drop', async () => {
    const { uploader, settles, sent, undecided } = setUp({ 'a.jpg': version('a.jpg') });
    uploader.add([file('a.jpg')], 'e1');
    await aWhile();
    uploader.decideVersions(false);
    await aWhile();
    expect(sent()).toEqual(['a.jpg false']);
    expect(filesToPay(uploader.getSnapshot())).toBe(1);
    settles.get('a.jpg')?.(accepted);
    await aWhile();
    uploader.add([file('a.jpg')], 'e1');
    await aWhile();
    expect(undecided()).toEqual(['a.jpg']);
  });

  it('are no question where their bytes are there, and only such are waited for [UPL245]', async () => {
    const { uploader, sent, undecided, hash } = setUp(
      { 'b.jpg': version('b.jpg'), 'c.jpg': version('c.jpg') },
      ['b.jpg', 'c.jpg'],
    );
    let release: (hash: string | null) => void = () => undefined;
    hash.mockImplementation(({ name }) =>
      name === 'c.jpg' ? new Promise((resolve) => (release = resolve)) : Promise.resolve(name),
    );
    uploader.add(['a.jpg', 'b.jpg', 'c.jpg'].map(file), 'e1');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual([]);
    expect(undecided()).toEqual([]);
    expect(versionState(uploader.getSnapshot()).compared).toBe(1);
    release('c.jpg');
    await aWhile();
    expect(sent()).toEqual(['a.jpg false']);
    expect(uploader.getSnapshot().items.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
  });

  it('are asked for all the same where files cannot be compared', async () => {
    const { uploader, undecided, hash } = setUp({ 'a.jpg': version('a.jpg') });
    hash.mockResolvedValue(null);
    uploader.add([file('a.jpg')], 'e1');
    await aWhile();
    expect(undecided()).toEqual(['a.jpg']);
    expect(asksForVersions(uploader.getSnapshot())).toBe(true);
  });

  it('are versions of a photo by the closest name alone, of two that are alike neither [UPL245]', async () => {
    const photos = {
      'IMG_1.jpg': version('IMG_1.HEIC', 'p1'),
      'img_1.heic': version('IMG_1.HEIC', 'p1'),
      'IMG_2.jpg': version('IMG_2.HEIC', 'p2'),
      'IMG_2.png': version('IMG_2.HEIC', 'p2'),
      'IMG_3.jpg': version('IMG_3.HEIC', 'p3'),
    };
    const { uploader, sent, undecided } = setUp(photos);
    uploader.add([...Object.keys(photos), 'IMG_3.jpg'].map(file), 'e1');
    await aWhile();
    expect(undecided()).toEqual(['img_1.heic']);
    uploader.decideVersions(true);
    await aWhile();
    expect(sent()).toEqual(['IMG_1.jpg false', 'img_1.heic true', 'IMG_2.jpg false']);
  });

  it('cost a credit later than 30 days after the upload', async () => {
    const { uploader } = setUp({ 'a.jpg': version('a.jpg', 'p1', false), 'b.jpg': version('b.jpg') });
    uploader.add([file('a.jpg'), file('b.jpg')], 'e1');
    await aWhile();
    uploader.decideVersions(true);
    expect(filesToPay(uploader.getSnapshot())).toBe(1);
  });

  it('are asked for a thousand at a time, once all of the drop are listed', async () => {
    const { uploader, find } = setUp({});
    uploader.add(
      Array.from({ length: 2001 }, (_, at) => file(`${at}.jpg`)),
      'e1',
    );
    await aWhile();
    expect(find.mock.calls.map(([names]) => names.length)).toEqual([1000, 1000, 1]);
  });

  it('wait for the answer: the line may fail, and the server be busy [UPL245]', async () => {
    const { uploader, find, waitUntilReachable, sent } = setUp({});
    find.mockResolvedValueOnce('unreachable').mockResolvedValueOnce('later');
    uploader.add([file('a.jpg')], 'e1');
    await vi.advanceTimersByTimeAsync(1900);
    expect(waitUntilReachable).toHaveBeenCalledOnce();
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(find).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(6000);
    expect(find).toHaveBeenCalledTimes(3);
    expect(sent()).toEqual(['a.jpg false']);
  });

  it('travel where the question is refused: the upload says why', async () => {
    const { uploader, find, sent } = setUp({});
    find.mockResolvedValue('refused');
    uploader.add([file('a.jpg')], 'e1');
    await aWhile();
    expect(sent()).toEqual(['a.jpg false']);
  });
});
