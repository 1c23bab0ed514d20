import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHasher } from './hashing';
import type { HashRequest } from './hashing.worker';

/** A worker that the test lets respond. */
function fakeWorker() {
  const worker = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onerror: null as (() => void) | null,
    requests: [] as HashRequest[],
    postMessage: (request: HashRequest) => worker.requests.push(request),
    terminate: vi.fn(),
  };
  return worker;
}

const file = new File(['x'], 'a.jpg');
const start = vi.fn();
const hasher = () => {
  const created = createHasher(start);
  if (created === null) throw new Error('there are workers');
  return created;
};

beforeEach(() => {
  vi.stubGlobal('Worker', vi.fn());
});

describe('the hasher', () => {
  it('lets one worker hash file after file', async () => {
    const worker = fakeWorker();
    start.mockReset().mockReturnValue(worker);
    const { hash, stop } = hasher();
    for (const expected of ['aa', 'bb']) {
      const answer = hash(file);
      worker.onmessage?.({ data: { id: worker.requests.at(-1)?.id, hash: expected } });
      expect(await answer).toBe(expected);
    }
    expect(start).toHaveBeenCalledOnce();
    stop();
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it('gives no hash when the worker fails, is stopped or cannot be started', async () => {
    const worker = fakeWorker();
    start.mockReset().mockReturnValue(worker);
    const { hash, stop } = hasher();
    const failed = hash(file);
    worker.onerror?.();
    expect(await failed).toBeNull();
    const stopped = hash(file);
    stop();
    expect(await stopped).toBeNull();
    start.mockImplementation(() => {
      throw new Error('blocked');
    });
    expect(await hash(file)).toBeNull();
  });

  it('is not there without workers', () => {
    vi.stubGlobal('Worker', undefined);
    expect(createHasher(start)).toBeNull();
  });
});
