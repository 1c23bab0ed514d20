import { expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import { delay } from '../../../platform/delay';
import { createBatchMemory } from './batchMemory';
import { createUploader, type UploaderPorts } from './uploader';

const photos = 300;
const transferTime = 400;
const accepted = (duplicate: boolean) => ({ kind: 'accepted', duplicate, photo: {} }) as UploadOutcome;

/** A server that keeps what reaches it, behind a network that can be cut. Every second answer on its way is lost. */
function createServer() {
  const stored = new Set<string>();
  let up = true;
  let cuts = 0;
  let lostAnswers = 0;
  const isUp = () => up;
  const upload: UploaderPorts['upload'] = async ({ filename }, _onProgress, signal) => {
    const cutsBefore = cuts;
    await delay(transferTime, signal);
    if (signal.aborted) return { kind: 'aborted' };
    if (!up || cuts > cutsBefore) {
      lostAnswers += 1;
      if (lostAnswers % 2 === 0) stored.add(filename);
      return { kind: 'unknown' };
    }
    const duplicate = stored.has(filename);
    stored.add(filename);
    return accepted(duplicate);
  };
  const ports: UploaderPorts = {
    upload,
    findStored: ({ filename }) =>
      Promise.resolve(up ? (stored.has(filename) ? 'stored' : 'missing') : 'unreachable'),
    measure: () => Promise.resolve('fast'),
    waitUntilReachable: async (signal) => {
      while (!isUp() && !signal.aborted) await delay(1000, signal);
    },
  };
  const cut = () => {
    up = false;
    cuts += 1;
  };
  const restore = () => {
    up = true;
  };
  return { ports, stored, cut, restore };
}

it('uploads 300 photos over a network that is cut five times and through one reload, which alone needs the user [UPL094]', async () => {
  vi.useFakeTimers();
  const server = createServer();
  const files = Array.from(
    { length: photos },
    (_, index) => new File(['x'], `DSC_${index}.jpg`, { lastModified: 1 }),
  );
  const open = () => {
    const uploader = createUploader(server.ports);
    const memory = createBatchMemory(uploader, 'e1');
    return { uploader, memory, close: memory.start() };
  };
  let page = open();
  page.memory.add(files);
  for (let cut = 1; cut <= 5; cut += 1) {
    await vi.advanceTimersByTimeAsync(5500);
    expect(server.stored.size).toBeLessThan(photos);
    server.cut();
    await vi.advanceTimersByTimeAsync(8000);
    expect(page.uploader.getSnapshot().disconnected).toBe(true);
    server.restore();
    if (cut !== 3) continue;
    page.close();
    page.uploader.clear();
    page = open();
    const missing = page.memory.getSnapshot()?.missing ?? 0;
    // Answers that the cut lost: the server has these photos, and takes them for duplicates.
    expect(missing - (photos - server.stored.size)).toBeLessThanOrEqual(3);
    expect(page.memory.add(files)).toBe(photos - missing);
  }
  await vi.advanceTimersByTimeAsync(120_000);
  expect(server.stored.size).toBe(photos);
  expect(page.uploader.getSnapshot().items.filter(({ status }) => status !== 'success')).toEqual([]);
  expect(page.memory.getSnapshot()).toBeNull();
  page.close();
  expect(localStorage.getItem('unfinishedUploads')).toBeNull();
});
