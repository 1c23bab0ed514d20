import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from '@playwright/test';
import { createEvent, type Event, logIn, PASSWORD, post, signUp } from '../accounts';
import { picture } from '../pictures';
import { binaryPath, startServer } from '../server';
import { untilNothingRuns } from './progress';

const PHOTOS = Number(process.env['PHOTOS'] ?? 500);
const ROUNDS = 3;
/** A JPEG, of which every photo is a copy with bytes of its own: best one from a camera. */
const PHOTO = process.env['PHOTO'] ?? picture('obama3.jpg');
const EMAIL = 'uploads@example.com';
/** Of /proc/PID/stat: clock ticks in a second on Linux. */
const TICKS = 100;

/** Copies of the picture whose comment differs, so that none is another one's duplicate. */
function copies(folder: string): string[] {
  const jpeg = readFileSync(PHOTO);
  return Array.from({ length: PHOTOS }, (_, index) => {
    const text = Buffer.from(String(index).padStart(6, '0'));
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text]);
    const path = join(folder, `DSC_${1000 + index}.jpg`);
    writeFileSync(path, Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]));
    return path;
  });
}

/** Processor time so far, in seconds, of the processes whose command line is like this. */
function processorTime(command: RegExp): number {
  let ticks = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!command.test(readFileSync(`/proc/${id}/cmdline`, 'latin1'))) continue;
      const fields = readFileSync(`/proc/${id}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / TICKS;
}

/** Processor time of the children of this process that have ended, in seconds. */
function endedChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

test(`${PHOTOS} photos by the command and by the browser, in turn`, async ({ browser, playwright }) => {
  // Nothing is indexed meanwhile, which would take most of the processor from both.
  const server = await startServer({}, ['--no-worker']);
  const request = await playwright.request.newContext();
  const photographer = await signUp(server, request, EMAIL);
  server.run('credits', 'grant', EMAIL, String(2 * ROUNDS * PHOTOS));
  const headers = { Authorization: `Bearer ${photographer.token}` };
  const made = await post(request, `${server.url}/api/auth/tokens`, { name: 'a', scope: 'upload', password: PASSWORD }, headers);
  const { token } = made as { token: string };
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-uploads-'));
  const files = copies(folder);

  const command = async (event: Event) => {
    const env = { ...process.env, AFTERGLOW_SERVER: server.url, AFTERGLOW_TOKEN: token };
    const before = endedChildren();
    await promisify(execFile)(binaryPath(), ['upload', folder, '--event', event.slug], {
      env,
      maxBuffer: 64 * 1_048_576,
    });
    return endedChildren() - before;
  };
  const inBrowser = async (event: Event) => {
    const page = await browser.newPage({ baseURL: server.url });
    await logIn(page, photographer, event);
    await page.goto('/admin/upload');
    const before = processorTime(/chrom/);
    const started = Date.now();
    await page.getByLabel('Choose photos').setInputFiles(files);
    await untilNothingRuns(page);
    const result = { seconds: (Date.now() - started) / 1000, used: processorTime(/chrom/) - before };
    await page.close();
    return result;
  };

  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const way of ['command', 'browser']) {
      const event = await createEvent(server, request, photographer, `${way} ${round}`, []);
      const serving = processorTime(/\0serve\0--no-worker/);
      const started = Date.now();
      const { seconds, used } =
        way === 'browser'
          ? await inBrowser(event)
          : { used: await command(event), seconds: (Date.now() - started) / 1000 };
      const served = processorTime(/\0serve\0--no-worker/) - serving;
      const found = await request.get(`${server.url}/api/photos/search?event_id=${event.id}&limit=1`, { headers });
      const { total_count: stored } = (await found.json()) as { total_count: number };
      console.log(
        `${way}: ${seconds.toFixed(1)} s, ${(PHOTOS / seconds).toFixed(1)} photos a second; processor time ` +
          `${used.toFixed(1)} s, the server's ${served.toFixed(1)} s; ${stored} stored`,
      );
    }
  }
  await request.dispose();
  await server.stop();
  rmSync(folder, { recursive: true });
});
