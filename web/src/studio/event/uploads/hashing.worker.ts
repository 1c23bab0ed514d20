import { createBLAKE3 } from 'hash-wasm';

/** Computes the BLAKE3 of one file after the other, away from the page's thread and never with a whole file in memory. */

export interface HashRequest {
  id: number;
  file: File;
}

export interface HashResponse {
  id: number;
  /** 64 lower-case hexadecimal digits; null if the file cannot be read. */
  hash: string | null;
}

const chunkSize = 1_048_576;

async function hashOf(file: File): Promise<string> {
  const hasher = await createBLAKE3();
  hasher.init();
  for (let start = 0; start < file.size; start += chunkSize) {
    hasher.update(new Uint8Array(await file.slice(start, start + chunkSize).arrayBuffer()));
  }
  return hasher.digest();
}

addEventListener('message', ({ data: { id, file } }: MessageEvent<HashRequest>) => {
  const respond = (hash: string | null) => postMessage({ id, hash } satisfies HashResponse);
  // A file that is gone or unreadable gets its error from the upload.
  hashOf(file).then(respond, () => respond(null));
});
