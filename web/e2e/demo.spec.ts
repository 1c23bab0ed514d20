import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { picture } from './pictures';

const SCRIPT = resolve(import.meta.dirname, '../tools/demo.mjs');

/** What `make demo` runs, with all that it has said so far. */
function demo(port: number, folder: string) {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT, `127.0.0.1:${port}`, folder]);
  const said = { text: '' };
  const listen = (piece: Buffer) => (said.text += piece.toString());
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { said, ended, stop: () => child.kill('SIGTERM') };
}

/** Holds a port; answers it with what lets go of it. */
async function takePort() {
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
  const { port } = holder.address() as AddressInfo;
  return { port, free: () => new Promise((done) => holder.close(done)) };
}

test('make demo: a furnished house, the same one the second time', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-demo-'));
  const held = await takePort();

  await test.step('a taken port is said, with what to do', async () => {
    const run = demo(held.port, folder);
    expect(await run.ended).toBe(1);
    expect(run.said.text).toContain(`127.0.0.1:${held.port} is taken. Choose another`);
  });

  await held.free();
  const links: string[] = [];
  for (const turn of ['first', 'second']) {
    await test.step(`${turn} run`, async () => {
      const run = demo(held.port, folder);
      const link = () => /The guests’ page +(\S+)/.exec(run.said.text)?.[1];
      await expect.poll(link, { timeout: 60_000, message: run.said.text }).toBeDefined();
      links.push(link() ?? '');
      await expect.poll(() => run.said.text).toContain('demo@example.com, password afterglow');
      if (turn === 'second') {
        await page.goto(link() ?? '');
        await page.getByLabel('upload a photo').setInputFiles(picture('obama.jpg'));
        await expect(page.getByText(/ from An evening in Washington$/)).toBeVisible({ timeout: 60_000 });
      }
      run.stop();
      expect(await run.ended).toBe(0);
    });
  }
  expect(links[0]).toBe(links[1]);
  rmSync(folder, { recursive: true });
});
