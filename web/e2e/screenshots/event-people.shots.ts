import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { groupedPeople } from '../event-people';
import { expect, test } from '../fixtures';
import { sideBySide } from '../selfies';
import { saveAtExtremes, saveScreenshot } from './save';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'clusters@example.com');
  const together = { name: 'together.jpg', bytes: await sideBySide(browser, ['obama3.jpg', 'biden.jpg']) };
  const names = ['obama.jpg', 'obama2.jpg', 'obama3.jpg', 'biden.jpg', together];
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', names);
  await groupedPeople(server, request, photographer, event);
  await request.dispose();
});

test.beforeEach(async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto(`/admin/people?event=${event.id}`);
  await expect(page.getByRole('link', { name: /^Person 1,/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
});

test('people', async ({ page }) => {
  await saveScreenshot(page, 'admin-people');
  await saveAtExtremes(page, 'admin-people');
});

test('people, two chosen', async ({ page }) => {
  await page.getByRole('button', { name: 'Select' }).click();
  for (const box of await page.getByRole('checkbox').all()) await box.click();
  await saveScreenshot(page, 'admin-people-chosen', 'window');
  await saveAtExtremes(page, 'admin-people-chosen', 'window');
});

test('a person, a photo chosen to be split off', async ({ page }) => {
  await page.getByRole('link', { name: /^Person 1,/ }).click();
  await expect(page.getByRole('button', { name: /^Open / }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await saveScreenshot(page, 'admin-person');
  await page.getByRole('button', { name: 'Split' }).click();
  await page.getByRole('checkbox').first().check();
  await saveScreenshot(page, 'admin-person-split', 'window');
  await saveAtExtremes(page, 'admin-person-split', 'window');
});

test('people, to be switched off', async ({ page }) => {
  await page.goto(`/admin/settings?event=${event.id}`);
  await page.getByRole('switch', { name: 'Put faces that are alike together' }).click();
  await page.waitForTimeout(400);
  await saveScreenshot(page, 'admin-people-off', 'window');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await page.goto(`/admin/people?event=${event.id}`);
  await expect(page.getByRole('heading', { name: 'People are switched off' })).toBeVisible();
  await saveScreenshot(page, 'admin-people-switched-off');
});
