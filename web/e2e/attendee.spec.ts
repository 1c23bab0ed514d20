import { readFileSync } from 'node:fs';
import { type Download } from '@playwright/test';
import { createEvent, signUp } from './accounts';
import { cameraFile } from './camera';
import { launch } from './chromium';
import { expect, test as base } from './fixtures';
import { isGuestCopy, picture, placeOfCopy } from './pictures';
import { entriesOf } from './zips';

/** Tests whose browser has a camera that sees one person. */
const test = base.extend({
  launchOptions: [
    // The runner reads from the pattern which fixtures are wanted; an empty one is none.
    async ({}, use) => use(launch(await cameraFile('obama.jpg'))),
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** A phone held in one hand. */
test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

const PHOTOS = ['biden.jpg', 'obama3.jpg', 'obama.jpg', 'obama2.jpg'];

test("an attendee's day: a selfie, exactly the own photos, best first, and their files", async ({
  page,
  request,
  server,
}) => {
  const photographer = await signUp(server, request, 'day@example.com');
  const event = await createEvent(server, request, photographer, 'Asha & Ravi', PHOTOS);

  await test.step('the page says what it is about [NAV012] [FACE004] [FACE067]', async () => {
    await page.goto(`/event/${event.slug}`);
    await expect(page.getByRole('heading', { name: event.name })).toBeVisible();
    await expect(page.getByText('Find Your Photos')).toBeVisible();
    await expect(page.getByText('Your selfie is held in memory only')).toBeVisible();
  });

  const answer = page.waitForResponse((response) => response.url().includes('/api/face/search/'));
  await test.step('take a selfie [FACE005]', async () => {
    await page.getByRole('button', { name: 'Open camera' }).click();
    const camera = page.getByLabel('Camera preview');
    await expect
      .poll(() => camera.evaluate((video: HTMLVideoElement) => video.videoWidth))
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect(page.getByText('Your Matched Photos')).toBeVisible({ timeout: 60_000 });
  });

  const found = await test.step('exactly the own photos, best first [FACE025] [FACE042]', async () => {
    const { matches } = (await (await answer).json()) as {
      matches: { filename: string; similarity: number }[];
    };
    expect(matches.map((match) => match.filename).sort()).toEqual(['obama.jpg', 'obama2.jpg', 'obama3.jpg']);
    const similarities = matches.map((match) => match.similarity);
    expect(similarities).toEqual([...similarities].sort((one, other) => other - one));
    await expect(page.getByText('3 matches found.')).toBeVisible();
    return matches.map((match) => match.filename);
  });

  await test.step('download one [DOWN013] [DOWN024]', async () => {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download photo 1', exact: true }).click();
    const bytes = await bytesOf(await waiting);
    expect(isGuestCopy(bytes, readFileSync(picture(found[0] ?? '')))).toBe(true);
    await expect(page.getByText('Photo downloaded successfully!')).toBeVisible();
  });

  await test.step('a phone gets all of them as one ZIP [DOWN026]', async () => {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download All Photos (3)' }).click();
    const zip = await bytesOf(await waiting);
    await expect(page.getByText(/^One ZIP with all 3 photos is downloading, /)).toBeVisible();
    expect(entriesOf(zip)).toEqual(['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg']);
    const places = found.map((name) => placeOfCopy(zip, readFileSync(picture(name))));
    expect(places, 'the originals as they are, best first').toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  await test.step('everybody’s photos, where the photographer lets guests look', async () => {
    const allowed = await request.patch(`/api/events/${event.id}`, {
      headers: { Authorization: `Bearer ${photographer.token}` },
      data: { browsable: true },
    });
    expect(allowed.status()).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'Take New Photo' }).click();
    await page.getByRole('button', { name: 'Browse all photos' }).click();
    await expect(page.getByText('4 photos')).toBeVisible();
    await page.getByRole('button', { name: 'Photo 4 of 4' }).click();
    await expect(page.getByRole('dialog', { name: 'All photos' })).toBeVisible();
    await page.goBack();
    const waiting = page.waitForEvent('download');
    // One of them was saved above.
    await page.getByRole('button', { name: /^Download photo \d$/ }).first().click();
    await waiting;
  });

  await test.step('all of them as one ZIP, whose size is said before [FACE529]', async () => {
    await page.getByRole('button', { name: 'Download all' }).click();
    await expect(page.getByText(/^4 photos, [\d.]+ MB$/)).toBeVisible();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all as one ZIP' }).click();
    const zip = await bytesOf(await waiting);
    expect(entriesOf(zip)).toEqual(['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg', 'photo-4.jpg']);
    await expect(page.getByText(/^One ZIP with all 4 photos is downloading, /)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
  });
});

const bytesOf = async (download: Download): Promise<Buffer> => readFileSync(await download.path());
