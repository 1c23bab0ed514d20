import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = resolve(import.meta.dirname, '../../../tools/bundle-size.mjs');
const run = promisify(execFile);
const weigh = (dist: string) => run(process.execPath, [script, 'EventPage', dist]);

let dist = '';

/** A build in small: an entry, a route with a style of its own, and admin code that nobody asked for. */
async function build(routeSource: string): Promise<void> {
  const assets = join(dist, 'assets');
  await mkdir(assets);
  await writeFile(
    join(dist, 'index.html'),
    '<script type="module" src="/assets/index-1.js"></script><link rel="stylesheet" href="/assets/index-2.css">',
  );
  const entry =
    'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/EventPage-3.js","assets/EventPage-4.css"])))=>i;' +
    'import{a}from"./shared-5.js";p(()=>import(`./EventPage-3.js`).then(e=>e.t),__vite__mapDeps([0,1]));import(`./Admin-6.js`)';
  await writeFile(join(assets, 'index-1.js'), entry);
  await writeFile(join(assets, 'index-2.css'), 'a{}');
  await writeFile(join(assets, 'EventPage-3.js'), routeSource);
  await writeFile(join(assets, 'EventPage-4.css'), 'b{}');
  await writeFile(join(assets, 'shared-5.js'), 'export const a=1');
  await writeFile(join(assets, 'Admin-6.js'), 'admin');
}

beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'afterglow-bundle-size-'));
});
afterEach(() => rm(dist, { recursive: true }));

test('the first load is what the page and the route request, and what they import', async () => {
  await build('import"./shared-5.js"');
  const { stdout } = await weigh(dist);
  for (const name of ['index-1.js', 'index-2.css', 'EventPage-3.js', 'EventPage-4.css', 'shared-5.js']) {
    expect(stdout).toContain(name);
  }
  expect(stdout).not.toContain('Admin');
});

test('more than 200 kB is refused', async () => {
  const noise = Array.from({ length: 60_000 }, () => Math.random().toString(36)).join('');
  await build(`export default "${noise}"`);
  await expect(weigh(dist)).rejects.toThrow('more than 200000 bytes');
});
