import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { renderIllustrations } from './illustrations';
import { saveScreenshot } from './save';

let photographer: Photographer;
let newcomer: Photographer;
let event: Event;

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'mira@example.com');
  newcomer = await signUp(server, request, 'newcomer@example.com');
  const illustrations = await renderIllustrations(browser);
  await createEvent(server, request, photographer, 'City Marathon 2026', illustrations.slice(0, 1));
  await createEvent(server, request, photographer, 'Kapoor Housewarming', []);
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', illustrations);
  await request.dispose();
});

test.describe('with events and photos', () => {
  test.beforeEach(async ({ page }) => logIn(page, photographer, event));

  const SCREENS: Record<string, string> = {
    overview: '/admin/overview',
    events: '/admin/events',
    'event-registration': '/admin/event-registration',
    upload: '/admin/upload',
    gallery: '/admin/gallery',
    payments: '/admin/payments',
    account: '/admin/account',
  };
  for (const [name, path] of Object.entries(SCREENS)) {
    test(name, async ({ page }) => {
      await visit(page, path);
      await saveScreenshot(page, `admin-${name}`);
    });
    test(`${name}, loading`, async ({ page }) => {
      await page.route('**/api/**', () => new Promise(() => undefined));
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await saveScreenshot(page, `admin-${name}-loading`);
    });
    test(`${name}, error`, async ({ page }) => {
      await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: { error: 'Try again later.' } }));
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await page.waitForTimeout(500);
      await saveScreenshot(page, `admin-${name}-error`);
    });
  }

  test('edit event', async ({ page }) => {
    await visit(page, '/admin/settings');
    await page.getByRole('button', { name: 'Change Event name' }).click();
    await expect(page.getByRole('dialog', { name: 'Event name' })).toBeVisible();
    await saveScreenshot(page, 'admin-edit-event');
  });
});

test.describe('empty', () => {
  test.beforeEach(async ({ page }) => logIn(page, newcomer));

  for (const name of ['overview', 'events', 'upload', 'gallery']) {
    test(name, async ({ page }) => {
      await visit(page, `/admin/${name}`);
      await saveScreenshot(page, `admin-${name}-empty`);
    });
  }
});

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
}
