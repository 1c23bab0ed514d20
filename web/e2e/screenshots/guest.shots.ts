import { type Page, type Route } from '@playwright/test';
import { createEvent, type Event, signUp } from '../accounts';
import { cameraFile } from '../camera';
import { launch } from '../chromium';
import { chooseSelfie, openEvent } from '../guests';
import { expect, test as base } from '../fixtures';
import { emptyPicture, picture } from '../pictures';
import { sideBySide } from '../selfies';
import { renderIllustrations } from './illustrations';
import { saveScreenshot } from './save';

/** Pictures of a browser whose camera sees one person. */
const test = base.extend({
  launchOptions: [
    // The runner reads from the pattern which fixtures are wanted; an empty one is none.
    async ({}, use) => use(launch(await cameraFile('obama.jpg'))),
    { scope: 'worker', timeout: 60_000 },
  ],
});

const FOUND = /^\d+ from Aanya & Rohan$/;

let event: Event;
let nothingYet: Event;

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  const photographer = await signUp(server, request, 'guests@example.com');
  const people = ['obama.jpg', 'obama2.jpg', 'obama3.jpg', 'obama_partial_face.jpg', 'biden.jpg'];
  const illustrations = await renderIllustrations(browser);
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', [...people, ...illustrations.slice(0, 6)]);
  nothingYet = await createEvent(server, request, photographer, 'Not yet begun', []);
  await request.dispose();
});

test('start', async ({ page }) => {
  await open(page);
  await saveScreenshot(page, 'guest-1-start');
});

test('the PIN', async ({ page }) => {
  const asksPin = async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), asks_pin: true } });
  };
  await page.route(`**/api/events/${event.slug}`, asksPin);
  await page.goto(`/event/${event.slug}`);
  await expect(page.getByRole('textbox', { name: 'PIN' })).toBeVisible();
  await saveScreenshot(page, 'guest-0-pin');
  await page.route('**/api/face/access/**', (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: 'This is not the PIN of this event. Please check it and try again.',
        code: 'event_pin_wrong',
      },
    }),
  );
  await page.getByRole('textbox', { name: 'PIN' }).fill('1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await saveScreenshot(page, 'guest-0-pin-wrong');
});

test('start, nothing to search yet', async ({ page }) => {
  await open(page, nothingYet);
  await saveScreenshot(page, 'guest-1-start-empty');
});

test('start, while photos are being indexed', async ({ page }) => {
  await page.route(`**/api/events/${event.slug}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as object;
    await route.fulfill({ json: { ...body, indexing: { indexed: 412, waiting: 488, failed: 0, total: 900 } } });
  });
  await open(page);
  await saveScreenshot(page, 'guest-1-start-indexing');
});

test('loading', async ({ page }) => {
  await page.route('**/api/events/**', () => new Promise(() => undefined));
  // As the document is when the database did not answer.
  await page.route(`**/event/${event.slug}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/<script type="application\/json".*?<\/script>/s, '');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`/event/${event.slug}`);
  await expect(page.getByRole('status')).toHaveText('Loading the event');
  await saveScreenshot(page, 'guest-0-loading');
});

for (const [name, failure] of [
  ['refused', 'NotAllowedError'],
  ['absent', 'NotFoundError'],
  ['busy', 'NotReadableError'],
] as const) {
  test(`camera ${name}`, async ({ page }) => {
    await page.addInitScript((error) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', error));
    }, failure);
    await open(page);
    await page.getByRole('button', { name: 'Open camera' }).click();
    await expect(page.locator('input[capture=user]')).toHaveCount(1);
    await saveScreenshot(page, `guest-2-camera-${name}`);
  });
}

test('an in-app browser without a camera', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'mediaDevices'));
  await open(page);
  await saveScreenshot(page, 'guest-2-camera-missing');
});

test('camera', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Open camera' }).click();
  await expect(page.getByRole('button', { name: 'Take Photo' })).toBeEnabled();
  await page.waitForTimeout(1000);
  await saveScreenshot(page, 'guest-2-camera', 'window');
});

test('several faces', async ({ page, browser }) => {
  await open(page);
  const buffer = await sideBySide(browser, ['obama.jpg', 'biden.jpg']);
  await chooseSelfie(page, { name: 'two.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByRole('heading', { name: 'Which one is you?' })).toBeVisible({ timeout: 60_000 });
  await saveScreenshot(page, 'guest-3-faces');
});

test('searching', async ({ page }) => {
  await open(page);
  await page.route('**/api/face/search/**', () => new Promise(() => undefined));
  await chooseSelfie(page);
  await expect(page.getByText('Searching for your photos...')).toBeVisible();
  await saveScreenshot(page, 'guest-5-searching');
});

test('waiting for a turn', async ({ page }) => {
  await open(page);
  await page.route('**/api/face/search/**', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '20' },
      json: { error: 'Too many requests. Please try again in 20 seconds.', code: 'too_many_requests' },
    }),
  );
  await chooseSelfie(page);
  await expect(page.getByText(/Your turn is in \d+ s\./)).toBeVisible();
  await saveScreenshot(page, 'guest-5-waiting');
});

test('results', async ({ page }) => {
  await open(page);
  await chooseSelfie(page);
  await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  await saveScreenshot(page, 'guest-4-results', 'window');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await saveScreenshot(page, 'guest-4-results-all');
  await page.getByRole('button', { name: 'Photo 1 of' }).click();
  await page.waitForTimeout(800);
  await saveScreenshot(page, 'guest-4-viewer', 'window');
});

test('results that are looked at', async ({ page }) => {
  await page.route(`**/api/events/${event.slug}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), downloads: 'none' } });
  });
  await open(page);
  await chooseSelfie(page);
  await expect(page.getByText('The photographer shows these photos without downloads.')).toBeVisible({
    timeout: 60_000,
  });
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await saveScreenshot(page, 'guest-4-results-view-only');
});

test('favourites', async ({ page }) => {
  await open(page);
  await chooseSelfie(page);
  await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  for (const position of [1, 3]) {
    await page.getByRole('button', { name: new RegExp(`^Photo ${position} of`) }).click();
    await page.getByRole('button', { name: `Add photo ${position} to your favourites` }).click();
    await page.keyboard.press('Escape');
  }
  await page.waitForLoadState('networkidle');
  await saveScreenshot(page, 'guest-4-hearts');
  await page.getByRole('button', { name: 'Favourites (2)' }).click();
  await saveScreenshot(page, 'guest-4-favourites');
  await page.getByRole('button', { name: 'Photo 1 of 2' }).click();
  await page.waitForTimeout(800);
  await saveScreenshot(page, 'guest-4-viewer-favourite', 'window');
});

test('a question to the photographer', async ({ page }) => {
  await open(page);
  await chooseSelfie(page);
  await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Photo 1 of' }).click();
  await page.waitForTimeout(800);
  await page.getByRole('button', { name: 'More for photo 1' }).click();
  await page.getByRole('button', { name: 'Ask the photographer' }).click();
  const sheet = page.getByRole('dialog', { name: 'Ask the photographer' });
  await sheet.getByRole('textbox', { name: 'Your message' }).fill('Can you brighten this one?');
  await saveScreenshot(page, 'guest-8-question', 'window');
  await sheet.getByRole('textbox', { name: 'Your e-mail address, for the answer' }).fill('guest@example.com');
  await page.route('**/api/face/questions/**', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '3600' },
      json: { error: 'Too many requests. Please try again in 1 hour.', code: 'too_many_requests' },
    }),
  );
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(sheet.getByRole('alert')).toBeVisible();
  await saveScreenshot(page, 'guest-8-question-refused', 'window');
  await page.unroute('**/api/face/questions/**');
  await page.route('**/api/face/questions/**', (route) => route.fulfill({ status: 202, body: '' }));
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(sheet.getByRole('status')).toBeVisible();
  await saveScreenshot(page, 'guest-8-question-sent', 'window');
});

test('nobody found', async ({ page }) => {
  await open(page, nothingYet);
  await chooseSelfie(page, picture('biden.jpg'));
  await expect(page.getByText(/^No matching photos found/).first()).toBeVisible({ timeout: 60_000 });
  await saveScreenshot(page, 'guest-6-no-match', 'window');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await saveScreenshot(page, 'guest-6-no-match-later', 'window');
});

test('no face', async ({ page }) => {
  await open(page);
  await chooseSelfie(page, { name: 'sky.png', mimeType: 'image/png', buffer: emptyPicture(2) });
  await expect(page.getByText(/^No face found/).first()).toBeVisible({ timeout: 60_000 });
  await saveScreenshot(page, 'guest-6-no-face', 'window');
});

test('offline', async ({ page }) => {
  await open(page);
  await page.context().setOffline(true);
  await chooseSelfie(page);
  await expect(page.getByText(/you are offline/).first()).toBeVisible();
  await saveScreenshot(page, 'guest-6-offline', 'window');
});

async function open(page: Page, shown = event): Promise<void> {
  await openEvent(page, shown);
  await page.waitForLoadState('networkidle');
}
