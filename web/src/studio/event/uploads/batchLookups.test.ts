import { beforeEach, expect, test, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import { storedBatches } from '../../../platform/storage/uploadStorage';
import { createBatchMemory } from './batchMemory';
import type { LookupPorts } from './lookups';
import type { QueueItem } from './queue';
import { filesToPay } from './queueHolds';
import { queueStats } from './queueStats';
import { saveBatch } from './unfinishedBatches';
import { createUploader } from './uploader';
import type { VersionPorts } from './versionLookups';

const file = (name: string) => new File(['x'], name, { lastModified: 1 });
const entry = (name: string, state: 'missing' | 'done') => ({ name, size: 1, modified: 1, state });
const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;
const stored = () => storedBatches.read()?.[0]?.files.map(({ name, state }) => `${name} ${state}`);

/** The upload screen after an interruption; the server has the files `there`, and their hashes are their names. */
function resume(there: readonly string[], findKnown?: LookupPorts['findKnown']) {
  saveBatch({
    eventId: 'e1',
    files: [entry('gone', 'done'), entry('kept', 'done'), entry('new', 'missing')],
  });
  const sent: string[] = [];
  const upload = ({ filename }: QueueItem) => {
    sent.push(filename);
    return Promise.resolve(accepted);
  };
  const version = { photoId: 'p1', filename: 'kept', free: true };
  const find = vi.fn<VersionPorts['find']>((names) =>
    Promise.resolve(new Map(names.includes('kept') ? [['kept', version]] : [])),
  );
  const uploader = createUploader({
    upload,
    findStored: () => Promise.resolve('missing'),
    measure: () => Promise.resolve('fast'),
    waitUntilReachable: () => Promise.resolve(),
    lookups: {
      hasher: { hash: ({ name }) => Promise.resolve(name), stop: () => undefined },
      findKnown:
        findKnown ??
        ((hashes) =>
          Promise.resolve(
            new Map(hashes.filter((each) => there.includes(each)).map((each) => [each, each])),
          )),
      // What the page knows of the event may be old.
      mayHavePhotos: () => false,
    },
    versions: { find, mayHavePhotos: () => true },
  });
  const memory = createBatchMemory(uploader, 'e1');
  const close = memory.start();
  const states = () =>
    uploader.getSnapshot().items.map((item) => `${item.filename} ${item.status} ${item.duplicate}`);
  return {
    uploader,
    memory,
    close,
    find,
    states,
    sent: () => [...sent],
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});

test('[UPL281] an interrupted batch brings back a photo that was deleted meanwhile, and sends none that is there', async () => {
  const { memory, sent, states, close } = resume(['kept']);
  expect(memory.add([file('gone'), file('kept'), file('new')])).toBe(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent()).toEqual(['new', 'gone']);
  expect(states()).toEqual(['new success false', 'gone success false', 'kept success true']);
  expect(memory.skipped()).toEqual([]);
  close();
  expect(storedBatches.read()).toBeNull();
});

test('[UPL281] what should be there holds up no other photo, costs nothing and is not sent for want of an answer', async () => {
  const { memory, sent, uploader, close } = resume([], () => new Promise(() => undefined));
  uploader.holdForCredit();
  memory.add([file('gone'), file('kept'), file('new')]);
  expect(filesToPay(uploader.getSnapshot())).toBe(1);
  uploader.resume();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(['new']);
  // The page is closed before the answer.
  close();
  expect(stored()).toBeUndefined();
});

test('[UPL281] a server that answers no question has nothing sent to it that should be there', async () => {
  const { memory, sent } = resume([], () => Promise.resolve(null));
  memory.add([file('kept'), file('new')]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(['new']);
});

test('[UPL281] what should be there is asked about last, takes no time of the line, and does not stay behind', async () => {
  const { memory, find, uploader } = resume(['kept']);
  uploader.pause();
  memory.add([file('kept'), file('gone')]);
  memory.add([file('new')]);
  const { compared, waiting, bytesLeft } = queueStats(uploader.getSnapshot());
  expect({ compared, waiting, bytesLeft }).toEqual({ compared: 2, waiting: 3, bytesLeft: file('new').size });
  await vi.advanceTimersByTimeAsync(2000);
  expect(find.mock.calls.flatMap(([names]) => names)[0]).toBe('new');
});

test('[UPL281] what is not there is compared by name before it travels, and is missing until it has', async () => {
  const { memory, sent, find, uploader, close } = resume([]);
  uploader.pause();
  memory.add([file('kept')]);
  expect(stored()).toEqual(['gone done', 'kept done', 'new missing']);
  await vi.advanceTimersByTimeAsync(2000);
  memory.add([file('new')]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(find.mock.calls.map(([names]) => names)).toContainEqual(['kept']);
  expect(stored()).toEqual(['gone done', 'kept missing', 'new missing']);
  uploader.resume();
  uploader.decideVersions(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent().sort()).toEqual(['kept', 'new']);
  close();
});
