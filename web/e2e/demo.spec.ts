import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { picture } from './pictures';

const SCRIPT = resolve(import.meta.dirname, '../tools/demo.mjs');

/** Runs the script of `make demo`; `output` grows as it prints. */
function demo(port: number, folder: string) {
  const child: ChildProcess = spawn(process.execPath, [
    SCRIPT,
    `127.0.0.1:${port}`,
    folder,
    join(folder, 'pictures'),
  ]);
  const output = { text: '' };
  const listen = (piece: Buffer) => (output.text += piece.toString());
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { output, ended, stop: () => child.kill('SIGTERM') };
}

/** A small evening in the place of the one that tools/demo draws, which takes downloads of its own. */
function makeEvening(folder: string) {
  for (const name of ['photos', 'selfies']) mkdirSync(join(folder, 'pictures', name), { recursive: true });
  for (const name of ['obama2.jpg', 'obama3.jpg', 'biden.jpg'])
    copyFileSync(picture(name), join(folder, 'pictures/photos', name));
  copyFileSync(picture('obama.jpg'), join(folder, 'pictures/selfies/Barack.jpg'));
  writeFileSync(
    join(folder, 'pictures/event.json'),
    JSON.stringify({ date: '2026-11-21', people: ['Barack'] }),
  );
}

/** Occupies a port until `release` is called. */
async function occupyPort() {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { port, release: () => new Promise((done) => server.close(done)) };
}

// [RUN290]
test('make demo serves the same event on the second run', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-demo-'));
  makeEvening(folder);
  const occupied = await occupyPort();

  await test.step('a taken port is reported, with what to do', async () => {
    const run = demo(occupied.port, folder);
    expect(await run.ended).toBe(1);
    expect(run.output.text).toContain(`127.0.0.1:${occupied.port} is taken. Choose another`);
  });

  await occupied.release();
  const links: string[] = [];
  for (const attempt of ['first', 'second']) {
    await test.step(`${attempt} run`, async () => {
      const run = demo(occupied.port, folder);
      const link = () => /The guests’ page +(\S+)/.exec(run.output.text)?.[1];
      await expect.poll(link, { timeout: 60_000, message: run.output.text }).toBeDefined();
      links.push(link() ?? '');
      await expect.poll(() => run.output.text).toContain('mira@example.com, password only a demo');
      if (attempt === 'second') {
        await page.goto(link() ?? '');
        await page.getByLabel('upload a photo').setInputFiles(join(folder, 'pictures/selfies/Barack.jpg'));
        await expect(page.getByText('2 from An evening at the photo booth')).toBeVisible({ timeout: 60_000 });
      }
      run.stop();
      expect(await run.ended).toBe(0);
    });
  }
  expect(links[0]).toBe(links[1]);
  rmSync(folder, { recursive: true });
});
