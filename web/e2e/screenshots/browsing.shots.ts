import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { openEvent } from '../guests';
import { saveAtExtremes, saveScreenshot } from './save';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'browsing@example.com');
  const people = ['obama.jpg', 'obama2.jpg', 'obama3.jpg', 'biden.jpg'];
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', people);
  const headers = { Authorization: `Bearer ${photographer.token}` };
  const made = await request.post(`${server.url}/api/events/${event.id}/albums`, {
    headers,
    data: { name: 'Ceremony' },
  });
  const { id } = (await made.json()) as { id: string };
  const listed = await request.get(`${server.url}/api/photos/search?event_id=${event.id}`, { headers });
  const { photos } = (await listed.json()) as { photos: { id: string }[] };
  const put = await request.post(`${server.url}/api/photos/album`, {
    headers,
    data: { event_id: event.id, album_id: id, photo_ids: photos.slice(0, 2).map((photo) => photo.id) },
  });
  expect(put.status()).toBe(200);
  await request.dispose();
});

test('all photos', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/settings#guests');
  const control = page.getByRole('switch', { name: 'Guests may browse all photos' });
  await control.scrollIntoViewIfNeeded();
  await control.check({ force: true });
  await saveScreenshot(page, 'admin-event-browsing', 'window');
  await expect(page.getByText('The event is saved.')).toBeVisible();
  await openEvent(page, event);
  const entry = page.getByRole('button', { name: 'Browse all photos' });
  await expect(entry).toBeVisible();
  await saveScreenshot(page, 'guest-9-browsing-start');
  await entry.click();
  await expect(page.getByText('4 photos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove me from the photos' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await saveScreenshot(page, 'guest-9-browsing');
  await saveAtExtremes(page, 'guest-9-browsing', 'window');
  await page.getByRole('button', { name: 'Choose photos' }).click();
  await page.getByRole('button', { name: 'Photo 2 of 4' }).click();
  await saveScreenshot(page, 'guest-9-browsing-choice', 'window');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Photo 1 of 4' }).click();
  await page.waitForTimeout(800);
  await saveScreenshot(page, 'guest-9-browsing-viewer', 'window');
  await page.keyboard.press('Escape');
  await page.route('**/api/face/photos/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Ceremony' }).click();
  await expect(page.getByText(/could not be loaded/)).toBeVisible();
  await saveScreenshot(page, 'guest-9-browsing-failed');
});
