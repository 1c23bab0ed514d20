import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { type SavedFile } from './engine';

/** Firefox writes `.part`, WebKitGTK `.wkdownload`, until the file is whole. */
const unfinished = /\.(part|wkdownload)$/;

/** Waits for the one file that `start` brings into the folder, and takes it out. */
export async function savedInto(folder: string, start: () => Promise<void>): Promise<SavedFile> {
  const files = () =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  if (files().length > 0) throw new Error(`something else was saved before: ${files().join(', ')}`);
  await start();
  let size = -1;
  // Firefox makes an empty file under the final name first.
  const whole = () => {
    const names = files();
    const [name] = names;
    if (names.length !== 1 || name === undefined || unfinished.test(name)) return false;
    const before = size;
    size = statSync(join(folder, name)).size;
    return size > 0 && size === before;
  };
  await expect.poll(whole, { intervals: [100], message: 'a saved file' }).toBe(true);
  const [name = ''] = files();
  const bytes = readFileSync(join(folder, name));
  rmSync(join(folder, name));
  return { name, bytes };
}
