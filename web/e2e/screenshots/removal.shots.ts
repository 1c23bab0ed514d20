import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { findPhotos } from '../guests';
import { picture } from '../pictures';
import { saveScreenshot } from './save';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'removal@example.com');
  const photos = ['obama2.jpg', 'obama3.jpg', 'biden.jpg'];
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', photos);
  await request.dispose();
});

test('a guest asks to be removed, and the photographer sees it', async ({ page, browser, server }) => {
  await findPhotos(page, event);
  const entry = page.getByRole('button', { name: 'Remove me from the photos' });
  await entry.scrollIntoViewIfNeeded();
  await saveScreenshot(page, 'guest-9-removal-entry');
  await entry.click();
  const sheet = page.getByRole('dialog');
  await saveScreenshot(page, 'guest-9-removal-explained', 'window');
  await sheet.getByLabel('upload a photo').setInputFiles(picture('obama.jpg'));
  await expect(sheet.getByText(/^We found you in/)).toBeVisible({ timeout: 60_000 });
  await saveScreenshot(page, 'guest-9-removal-found', 'window');
  await sheet.getByRole('radio', { name: "Hide photos I'm in" }).check();
  await sheet.getByRole('checkbox').check();
  await saveScreenshot(page, 'guest-9-removal-chosen', 'window');
  await sheet.getByRole('button', { name: 'Ask the photographer' }).scrollIntoViewIfNeeded();
  await saveScreenshot(page, 'guest-9-removal-confirm', 'window');
  await sheet.getByRole('button', { name: 'Ask the photographer' }).click();
  await expect(sheet.getByRole('heading', { name: 'Done' })).toBeVisible();
  await saveScreenshot(page, 'guest-9-removal-done', 'window');

  const context = await browser.newContext({ baseURL: server.url });
  const desk = await context.newPage();
  await logIn(desk, photographer, event);
  await desk.goto('/admin/overview');
  await desk.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await desk.waitForTimeout(400);
  await saveScreenshot(desk, 'admin-overview-requests', 'window');
  await desk.getByText(/^1 new request in /).click();
  await expect(desk.getByRole('heading', { name: 'Requests of guests' })).toBeFocused();
  await saveScreenshot(desk, 'admin-guests-requests');
  await context.close();
});
