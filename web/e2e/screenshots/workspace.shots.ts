import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, post, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { renderIllustrations } from './illustrations';
import { saveScreenshot } from './save';

/** What the mock-ups of the workspace are drawn for. */
const devices = { workspace: { width: 1440, height: 900 }, 'workspace-phone': { width: 390, height: 844 } };

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'mira@example.com');
  const illustrations = await renderIllustrations(browser);
  await createEvent(server, request, photographer, 'City Marathon 2026', illustrations.slice(0, 1));
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', illustrations);
  const headers = { Authorization: `Bearer ${photographer.token}` };
  for (const name of ['Ceremony', 'Reception', 'Family'])
    await post(request, `${server.url}/api/events/${event.id}/albums`, { name }, headers);
  await request.dispose();
});

test.beforeEach(async ({ page }) => logIn(page, photographer, event));

const show = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0);
  await page.waitForLoadState('networkidle');
};

for (const screen of ['gallery', 'trash', 'people', 'share', 'guests', 'statistics', 'settings', 'upload']) {
  test(screen, async ({ page }) => {
    await show(page, `/admin/${screen}?event=${event.id}`);
    await saveScreenshot(page, screen, screen === 'gallery' ? 'window' : 'page', devices);
  });
}

test('events', async ({ page }) => {
  await show(page, '/admin/events');
  await saveScreenshot(page, 'events', 'page', devices);
});

test('selection', async ({ page }) => {
  await show(page, `/admin/gallery?event=${event.id}`);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: /^Select .*\.jpg/ }).first().click();
  await saveScreenshot(page, 'gallery-selection', 'window', devices);
});

test('filter', async ({ page }) => {
  await show(page, `/admin/gallery?event=${event.id}`);
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  await saveScreenshot(page, 'gallery-filter', 'window', devices);
});
