import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = resolve(import.meta.dirname, '../../tools/bundle-size.mjs');
const run = promisify(execFile);
const weigh = (dist: string) => run(process.execPath, [script, 'event.html', dist]);

let dist = '';

/** A build in small: a document with a script and a style, what the script imports, and a viewer that nobody opened. */
async function build(scriptSource: string): Promise<void> {
  const assets = join(dist, 'assets');
  await mkdir(assets);
  await writeFile(
    join(dist, 'event.html'),
    '<script type="module" src="/assets/event-1.js"></script><link rel="stylesheet" href="/assets/event-2.css">',
  );
  await writeFile(join(assets, 'event-1.js'), scriptSource);
  await writeFile(join(assets, 'event-2.css'), 'a{}');
  await writeFile(join(assets, 'shared-3.js'), 'export const a=1');
  await writeFile(join(assets, 'Lightbox-4.js'), 'viewer');
}

beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'afterglow-bundle-size-'));
});
afterEach(() => rm(dist, { recursive: true }));

test('the first load is what the document asks for, and what that imports', async () => {
  await build('import{a}from"./shared-3.js";p(()=>import(`./Lightbox-4.js`))');
  const { stdout } = await weigh(dist);
  for (const name of ['event-1.js', 'event-2.css', 'shared-3.js']) expect(stdout).toContain(name);
  expect(stdout).not.toContain('Lightbox');
});

test('more than 100 kB is refused', async () => {
  const noise = Array.from({ length: 30_000 }, () => Math.random().toString(36)).join('');
  await build(`export default "${noise}"`);
  await expect(weigh(dist)).rejects.toThrow('more than 100000 bytes');
});

test('a language is not of the first load, and more than 6 kB of one are refused', async () => {
  await build('p(()=>import(`./guest-5.js`))');
  const messages = Array.from({ length: 400 }, () => Math.random().toString(36)).join('');
  await writeFile(join(dist, 'assets', 'guest-5.js'), messages);
  await expect(weigh(dist)).resolves.toMatchObject({
    stdout: expect.not.stringContaining('guest-5') as string,
  });
  await writeFile(join(dist, 'assets', 'guest-5.js'), messages + messages.split('').reverse().join(''));
  await expect(weigh(dist)).rejects.toThrow('a language has more than 6000 bytes');
});

test('fonts that come before the first button are refused, those that come later are not', async () => {
  await build('new FontFace("a", "url(/assets/text-6.woff2)")');
  const assets = join(dist, 'assets');
  await writeFile(join(assets, 'text-6.woff2'), Buffer.alloc(100_000));
  await expect(weigh(dist)).resolves.toBeDefined();
  const before = await readFile(join(dist, 'event.html'), 'utf8');
  await writeFile(
    join(dist, 'event.html'),
    `${before}<link rel="preload" as="font" href="/assets/text-6.woff2">`,
  );
  await expect(weigh(dist)).rejects.toThrow('bytes before the first button');
  await writeFile(join(dist, 'event.html'), before);
  await writeFile(join(assets, 'event-2.css'), '@font-face{font-family:a;src:url(/assets/text-6.woff2)}');
  await expect(weigh(dist)).rejects.toThrow('bytes before the first button');
});
