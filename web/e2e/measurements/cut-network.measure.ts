import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { createEvent, logIn, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { networkOf } from '../network';
import { emptyPicture } from '../pictures';
import { counts, untilNothingRuns } from './progress';

const PHOTOS = 300;
const CUTS = 5;
/** The reload comes after this many cuts. */
const RELOAD_AFTER = 3;
/** Longer than the 2 s after which an upload is verified, so that the verification meets the cut network too. */
const CUT_LASTS = 6000;
/** Pixels; all photos together stay below the 30 MB from which one travels at a time. */
const SIDE = 160;
const BYTES_PER_SECOND = 80_000;
const EMAIL = 'cuts@example.com';

test(`${PHOTOS} photos over a network that is cut ${CUTS} times, and one reload`, async ({
  page,
  server,
  playwright,
}) => {
  const request = await playwright.request.newContext();
  const photographer = await signUp(server, request, EMAIL);
  server.run('credits', 'grant', EMAIL, String(PHOTOS));
  const event = await createEvent(server, request, photographer, 'Sangeet', []);
  const headers = { Authorization: `Bearer ${photographer.token}` };
  const creditsLeft = async () => {
    const answer = await request.get(`${server.url}/api/subscription/credits`, { headers });
    return ((await answer.json()) as { credits: number }).credits;
  };
  const before = await creditsLeft();
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-cuts-'));
  const files = Array.from({ length: PHOTOS }, (_, index) => {
    const path = join(folder, `DSC_${1000 + index}.png`);
    writeFileSync(path, emptyPicture(index, SIDE));
    return path;
  });

  await logIn(page, photographer, event);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/admin/upload');
  const network = await networkOf(page);
  await network.throttle(BYTES_PER_SECOND);
  const choose = () => page.getByLabel('Choose photos').setInputFiles(files);
  /** What a person had to do, in words. */
  const hands: string[] = [];
  let cutInFlight = 0;
  let listedAsFailed = 0;
  const started = Date.now();
  await choose();
  for (let cut = 1; cut <= CUTS; cut += 1) {
    await untilStored(page, Math.round((PHOTOS * cut) / (CUTS + 2)));
    await network.disconnect();
    await expect(page.getByText('Verifying').first()).toBeVisible();
    cutInFlight += await page.getByText('Verifying').count();
    await page.waitForTimeout(CUT_LASTS);
    await network.throttle(BYTES_PER_SECOND);
    await expect(page.getByText('The connection is lost.')).toBeHidden();
    listedAsFailed += await page.getByRole('list', { name: 'Failed Uploads' }).getByRole('listitem').count();
    if (cut !== RELOAD_AFTER) continue;
    await page.reload();
    await expect(page.getByText(/still missing\./)).toBeVisible();
    await choose();
    hands.push('chose the files again after the reload');
  }
  await untilNothingRuns(page);
  const failed = await page
    .getByRole('list', { name: 'Failed Uploads' })
    .getByRole('listitem')
    .allTextContents();
  for (const text of failed) hands.push(`failed: ${text}`);
  const seconds = Math.round((Date.now() - started) / 1000);

  const stored = await request.get(`${server.url}/api/photos/search?event_id=${event.id}&limit=1`, { headers });
  const { total_count: count } = (await stored.json()) as { total_count: number };
  console.log(`${PHOTOS} photos, ${CUTS} cuts of ${CUT_LASTS / 1000} s, 1 reload: ${seconds} s`);
  console.log(`uploads in flight when the network was cut: ${cutInFlight}`);
  console.log(`listed as failed right after a cut, and tried again by themselves: ${listedAsFailed}`);
  console.log(`stored on the server: ${count}; credits charged: ${before - (await creditsLeft())}`);
  console.log(`needed a hand: ${hands.length} (${hands.join('; ')})`);
  expect(count).toBe(PHOTOS);
  expect(before - (await creditsLeft())).toBe(PHOTOS);
  expect(hands).toHaveLength(1);
  await request.dispose();
  rmSync(folder, { recursive: true });
});

/** Waits until this many photos of all are there; after a reload the batch has fewer than all. */
const untilStored = (page: Page, wanted: number) =>
  expect
    .poll(
      async () => {
        const { done, total } = await counts(page);
        return total === 0 ? 0 : PHOTOS - total + done;
      },
      { timeout: 300_000 },
    )
    .toBeGreaterThanOrEqual(wanted);
