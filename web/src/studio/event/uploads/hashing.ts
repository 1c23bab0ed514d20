import type { HashRequest, HashResponse } from './hashing.worker';

/** Computes the BLAKE3 of files in a worker. */
export interface Hasher {
  /** 64 lower-case hexadecimal digits; null if the file cannot be hashed. One file at a time. */
  hash: (file: File) => Promise<string | null>;
  /** Ends the worker, and with it a hash that is being computed; the next file starts another one. */
  stop: () => void;
}

const startWorker = () => new Worker(new URL('./hashing.worker.ts', import.meta.url), { type: 'module' });

/** Null where there are no workers. */
export function createHasher(start: () => Worker = startWorker): Hasher | null {
  if (typeof Worker === 'undefined') return null;
  let worker: Worker | null = null;
  let cancel: () => void = () => undefined;
  let lastId = 0;
  const stop = () => {
    worker?.terminate();
    worker = null;
    cancel();
  };
  return {
    hash: (file) =>
      new Promise((resolve) => {
        cancel = () => resolve(null);
        try {
          worker ??= start();
        } catch {
          resolve(null);
          return;
        }
        const id = (lastId += 1);
        worker.onmessage = ({ data }: MessageEvent<HashResponse>) => {
          if (data.id === id) resolve(data.hash);
        };
        // Its script cannot be loaded or run.
        worker.onerror = stop;
        worker.postMessage({ id, file } satisfies HashRequest);
      }),
    stop,
  };
}
