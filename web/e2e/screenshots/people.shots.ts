import { type Page } from '@playwright/test';
import { createEvent, type Event, signUp } from '../accounts';
import { expect, test as base } from '../fixtures';
import { chooseSelfie, openEvent } from '../guests';
import { picture } from '../pictures';
import { sideBySide } from '../selfies';
import { startServer } from '../server';
import { saveAtExtremes } from './save';

/** Pictures of what guests do about people: find a friend, say that a photo is of somebody else, be removed, be told. */
const test = base.extend({
  server: [
    // The runner reads from the pattern which fixtures are wanted; an empty one is none.
    async ({}, use) => {
      const server = await startServer({ AFTERGLOW_TELL_GUESTS: 'on' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

let event: Event;

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  const photographer = await signUp(server, request, 'people@example.com');
  const together = { name: 'together.jpg', bytes: await sideBySide(browser, ['obama3.jpg', 'biden.jpg']) };
  const people = ['obama2.jpg', 'obama3.jpg', 'biden.jpg', together];
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', people);
  await request.dispose();
});

async function findMine(page: Page): Promise<void> {
  await openEvent(page, event);
  await chooseSelfie(page);
  await expect(page.getByText(`3 from ${event.name}`)).toBeVisible({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
}

test('a friend', async ({ page }) => {
  await findMine(page);
  await page.getByRole('button', { name: 'Add a friend' }).click();
  await expect(page.getByRole('heading', { name: 'Add a friend' })).toBeVisible();
  await saveAtExtremes(page, 'guest-9-friend-start');
  await chooseSelfie(page, picture('biden.jpg'));
  await expect(page.getByRole('button', { name: 'Both together (1)' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Either of us' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.waitForLoadState('networkidle');
  await saveAtExtremes(page, 'guest-9-friend-results');
});

test('a photo of somebody else', async ({ page }) => {
  await findMine(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: /^Photo 1 of/ }).click();
  await page.getByRole('button', { name: 'More for photo 1' }).click();
  await saveAtExtremes(page, 'guest-9-not-me-menu', 'window');
  await page.getByRole('button', { name: "That's not me" }).click();
  await page.mouse.move(0, 0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).hover();
  await saveAtExtremes(page, 'guest-9-not-me-done', 'window');
  await page.reload();
  await page.getByRole('button', { name: 'Photo 1 of' }).click();
  await page.getByRole('button', { name: 'More for photo 1' }).click();
  await page.waitForTimeout(600);
  await saveAtExtremes(page, 'guest-9-not-me-viewer', 'window');
});

test('being removed', async ({ page }) => {
  await openEvent(page, event);
  await page.getByRole('button', { name: 'Remove me from the photos' }).click();
  const sheet = page.getByRole('dialog', { name: 'Remove me from the photos' });
  await expect(sheet).toBeVisible();
  await saveAtExtremes(page, 'guest-9-removal-1', 'window');
  await sheet.locator('input[type=file]').first().setInputFiles(picture('obama.jpg'));
  await expect(page.getByRole('heading', { name: 'Photos of you' })).toBeVisible({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  await saveAtExtremes(page, 'guest-9-removal-2-found', 'window');
  await page.getByRole('radio', { name: 'Stop finding me' }).check();
  await page.getByRole('checkbox').scrollIntoViewIfNeeded();
  await saveAtExtremes(page, 'guest-9-removal-3-choice', 'window');
  await page.route('**/api/face/objections', (route) => route.fulfill({ json: { success: true } }));
  await page.getByRole('checkbox').check();
  await page.locator('button[type=submit]').click();
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
  await saveAtExtremes(page, 'guest-9-removal-4-done', 'window');
});

test('being told of new photos', async ({ page }) => {
  await findMine(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Tell me about new photos' }).click();
  await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('asha.krishnamurthy@wedding-guests.example.com');
  await saveAtExtremes(page, 'guest-9-telling-form');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send me a link to confirm' }).click();
  await expect(page.getByText(/^Check your mail: /)).toBeVisible();
  await saveAtExtremes(page, 'guest-9-telling-sent');
});

test('another language', async ({ page }) => {
  await openEvent(page, event);
  for (const tag of ['ta', 'ar']) {
    await page.getByRole('combobox').selectOption(tag);
    await page.locator(`html[lang=${tag}]`).waitFor();
    await page.getByRole('combobox').focus();
    await saveAtExtremes(page, `guest-9-language-${tag}`, 'window');
  }
});
