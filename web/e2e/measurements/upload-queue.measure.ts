import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, type Page } from '@playwright/test';
import { createEvent, logIn, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { emptyPicture } from '../pictures';

const FILES = 5000;
const FOLDERS = 10;
const WATCHED = 20_000;

test(`dropping a folder of ${FILES} photos`, async ({ page, server, playwright }) => {
  const folder = makeFolder();
  const request = await playwright.request.newContext();
  const photographer = await signUp(server, request, 'folder@example.com');
  const event = await createEvent(server, request, photographer, 'Sangeet', []);
  await logIn(page, photographer, event);
  // The server is not what is measured: it takes every photo, at the pace of a good line.
  await page.route('**/api/photos/upload', async (route) => {
    await new Promise((done) => setTimeout(done, 30));
    await route.fulfill({ status: 201, json: { duplicate: false } });
  });
  await page.goto('/admin/upload');
  await expect(page.getByTestId('drop-zone')).toBeVisible();

  const inspector = await page.context().newCDPSession(page);
  const before = await memory(inspector);
  await page.evaluate(watchFrames);
  const dropped = Date.now();
  await dropFolder(inspector, page, folder);
  await expect(page.getByRole('button', { name: 'Show all 5,000' })).toBeVisible();
  console.log(`all ${FILES} files listed after ${Date.now() - dropped} ms`);
  console.log(`while they were taken: ${await frames(page)}`);

  await page.evaluate(watchFrames);
  await page.waitForTimeout(WATCHED);
  console.log(`while they were sent, list folded: ${await frames(page)}`);

  await page.getByRole('button', { name: 'Show all 5,000' }).click();
  await page.evaluate(watchFrames);
  const list = page.getByRole('region', { name: 'All photos of this batch' });
  await list.hover();
  for (let step = 0; step < 100; step += 1) await page.mouse.wheel(0, 600);
  await page.waitForTimeout(5000);
  console.log(`while they were sent, list open and scrolled: ${await frames(page)}`);

  const after = await memory(inspector);
  console.log(`heap ${before.heap} MB before, ${after.heap} MB after; nodes ${before.nodes} and ${after.nodes}`);
  console.log(`progress: ${await page.getByText(/ of 5,000$/).first().textContent()}`);
  await request.dispose();
  rmSync(folder, { recursive: true });
});

/** Folders in a folder, with photos that differ. */
function makeFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'afterglow-shoot-'));
  const bytes = emptyPicture(1);
  for (let card = 0; card < FOLDERS; card += 1) {
    mkdirSync(join(root, `card-${card}`));
    for (let photo = 0; photo < FILES / FOLDERS; photo += 1) {
      const name = `DSC_${String(card * 1000 + photo).padStart(5, '0')}.png`;
      writeFileSync(join(root, `card-${card}`, name), bytes);
    }
  }
  return root;
}

/** Lets the folder fall on the page as the system's file manager does. */
async function dropFolder(inspector: CDPSession, page: Page, folder: string): Promise<void> {
  const box = await page.getByTestId('drop-zone').boundingBox();
  if (box === null) throw new Error('there is no drop zone');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await inspector.send('Input.dispatchDragEvent', { type, ...at, data });
  }
}

interface Watch {
  gaps: number[];
  tasks: number[];
}

/** Starts to note the time between frames and the tasks of 50 ms and more. */
function watchFrames(): void {
  const watch: Watch = { gaps: [], tasks: [] };
  Object.assign(window, { watch });
  new PerformanceObserver((list) => watch.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
  let last = performance.now();
  const next = (now: number) => {
    watch.gaps.push(now - last);
    last = now;
    if ((window as unknown as { watch: Watch }).watch === watch) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

async function frames(page: Page): Promise<string> {
  const { gaps, tasks } = await page.evaluate(() => (window as unknown as { watch: Watch }).watch);
  gaps.sort((a, b) => a - b);
  const at = (share: number) => (gaps[Math.floor(share * (gaps.length - 1))] ?? 0).toFixed(0);
  const longest = Math.max(0, ...tasks).toFixed(0);
  return `${gaps.length} frames, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms; ${tasks.length} long tasks, longest ${longest} ms`;
}

async function memory(inspector: CDPSession): Promise<{ heap: string; nodes: number }> {
  await inspector.send('HeapProfiler.collectGarbage');
  await inspector.send('Performance.enable');
  const { metrics } = await inspector.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: (value('JSHeapUsedSize') / 1_048_576).toFixed(1), nodes: value('Nodes') };
}
