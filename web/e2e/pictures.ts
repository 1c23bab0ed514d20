import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const FOLDER = resolve(import.meta.dirname, '../../.cache/pictures');

/** The path of a fetched picture. */
export function picture(name: string): string {
  const path = join(FOLDER, name);
  if (!existsSync(path)) throw new Error(`${path} is not there: make pictures`);
  return path;
}

/**
 * What a guest's copy of a JPEG has in common with the original: everything from the first scan on. Before it, positions and
 * serial numbers are overwritten.
 */
export function imageData(jpeg: Buffer): Buffer {
  let at = 2;
  while (jpeg[at] === 0xff && jpeg[at + 1] !== 0xda) at += 2 + jpeg.readUInt16BE(at + 2);
  return jpeg.subarray(at);
}

/** Where a guest's copy of the JPEG `original` starts in `bytes`; negative when it is not there. */
export const placeOfCopy = (bytes: Buffer, original: Buffer): number => {
  const image = imageData(original);
  return bytes.indexOf(image) - (original.length - image.length);
};

/** Whether `copy` is what guests get of the JPEG `original`. */
export const isGuestCopy = (copy: Buffer, original: Buffer): boolean =>
  copy.length === original.length && imageData(copy).equals(imageData(original));

/** A PNG of a gradient, `side` px square, in which nobody is. Another `seed` gives other bytes. */
export function emptyPicture(seed: number, side = 640): Buffer {
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const pixel = y * (1 + side * 3) + 1 + x * 3;
      rows.set([(x / side) * 255, (y / side) * 255, (seed * 40) % 256], pixel);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits a channel, RGB
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const comment = chunk('tEXt', Buffer.from(`Comment\0${seed}`, 'latin1'));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    comment,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND'),
  ]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
