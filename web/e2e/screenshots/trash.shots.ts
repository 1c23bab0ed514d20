import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { saveAtExtremes, saveScreenshot } from './save';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'regrets@example.com');
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', ['obama.jpg', 'biden.jpg']);
  await request.dispose();
});

test.beforeEach(({ page }) => logIn(page, photographer, event));

test('trash', async ({ page }) => {
  await page.goto(`/admin/trash?event=${event.id}`);
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await saveScreenshot(page, 'admin-trash-empty');

  await page.goto(`/admin/gallery?event=${event.id}`);
  await page.getByRole('checkbox', { name: 'Select obama.jpg' }).check({ force: true });
  await page.getByRole('checkbox', { name: 'Select biden.jpg' }).check({ force: true });
  await saveScreenshot(page, 'admin-gallery-two-chosen', 'window');
  await saveAtExtremes(page, 'admin-gallery-two-chosen', 'window');
  await page.getByRole('button', { name: 'Delete 2' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-undo', 'window');

  await page.goto(`/admin/trash?event=${event.id}`);
  await expect(page.getByRole('list', { name: 'Deleted photos' }).locator('img')).toHaveCount(2);
  await saveScreenshot(page, 'admin-trash');
  await page.getByRole('checkbox', { name: 'Select obama.jpg' }).check();
  await saveScreenshot(page, 'admin-trash-chosen', 'window');
  await saveAtExtremes(page, 'admin-trash-chosen', 'window');
  await page.getByRole('button', { name: 'Restore 1' }).click();
  await expect(page.getByText('Photo restored.')).toBeVisible();
});
