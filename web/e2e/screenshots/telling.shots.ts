import { type Page } from '@playwright/test';
import { createEvent, type Event, signUp } from '../accounts';
import { expect, test as base } from '../fixtures';
import { findPhotos } from '../guests';
import { startServer } from '../server';
import { saveScreenshot } from './save';

/** Pictures of a server that tells guests although it writes its mails to a folder. */
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

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  const photographer = await signUp(server, request, 'telling@example.com');
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', ['obama2.jpg', 'obama3.jpg']);
  await request.dispose();
});

/** Tokens that nobody was mailed are answered as if they were good. */
async function acceptTokens(page: Page): Promise<void> {
  for (const path of ['subscriptions/confirm', 'unsubscribe/*']) {
    await page.route(`**/api/face/${path}`, (route) => route.fulfill({ json: { success: true } }));
  }
}

test('telling a guest of new photos', async ({ page }) => {
  await findPhotos(page, event);
  await page.getByRole('button', { name: 'Tell me about new photos' }).scrollIntoViewIfNeeded();
  await saveScreenshot(page, 'guest-7-telling-offer');
  await page.getByRole('button', { name: 'Tell me about new photos' }).click();
  await saveScreenshot(page, 'guest-7-telling-form');
  await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('asha@example.com');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send me a link to confirm' }).click();
  await expect(page.getByText(/^Check your mail: /)).toBeVisible();
  await saveScreenshot(page, 'guest-7-telling-sent');
});

for (const [fragment, action] of [
  ['confirm', 'Yes, tell me'],
  ['unsubscribe', 'Stop these mails'],
] as const) {
  test(`the mailed link: ${fragment}`, async ({ page }) => {
    await acceptTokens(page);
    await page.goto(`/event/${event.slug}#${fragment}=token`);
    await expect(page.getByRole('button', { name: action })).toBeVisible();
    await saveScreenshot(page, `guest-8-${fragment}`);
    await page.getByRole('button', { name: action }).click();
    await expect(page.getByRole('link', { name: 'Go to the event' })).toBeVisible();
    await saveScreenshot(page, `guest-8-${fragment}-done`);
  });
}
