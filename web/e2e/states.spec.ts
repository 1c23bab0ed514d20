import { type Page } from '@playwright/test';
import { createEvent, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';

/** What a screen says while it waits, when there is nothing, and when the server fails. */
interface States {
  heading: string | RegExp;
  /** Asks for a choice that the screen needs; the same while it waits. */
  ask?: string;
  empty?: string;
  failed?: string;
}

const SCREENS: Record<string, States> = {
  '/admin/overview': { heading: /Mira$/, empty: 'None in the last 30 days.', failed: 'Failed to load dashboard data' },
  '/admin/events': { heading: 'Events', empty: 'No events created yet', failed: 'Failed to load events' },
  '/admin/event-registration': { heading: 'Create New Event' },
  '/admin/upload': {
    heading: 'Upload Photos',
    ask: 'Select an Event',
    failed: 'Failed to load events. Please try again.',
  },
  '/admin/gallery': {
    heading: 'Photos',
    ask: 'Select an Event',
    failed: 'Failed to load events. Please try again.',
  },
  '/admin/payments': { heading: 'Payments', failed: 'Failed to load the payment history' },
  '/admin/account': { heading: 'Profile Settings', failed: 'Failed to load user data' },
};

const EMAIL = 'newcomer@example.com';

let newcomer: Photographer;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  newcomer = await signUp(server, request, EMAIL);
  await request.dispose();
});

for (const [path, { heading, ask, empty, failed }] of Object.entries(SCREENS)) {
  test(`${path} while it waits, when there is nothing, and when the server fails`, async ({ page }) => {
    test.slow();
    await logIn(page, newcomer);

    await test.step('waiting', async () => {
      // Nothing is answered until the step is over.
      await page.route('**/api/**', () => new Promise(() => undefined));
      await open(page, path, heading);
      // What is not known yet is neither empty nor broken.
      for (const text of [empty, failed]) {
        if (text !== undefined) await expect(page.getByText(text, { exact: true })).toHaveCount(0);
      }
      await examine(page, `${path}, waiting`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    await test.step('nothing there', async () => {
      await open(page, path, heading);
      for (const text of [ask, empty]) {
        if (text !== undefined) await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
      }
      await page.waitForLoadState('networkidle');
      await examine(page, `${path}, nothing there`);
    });

    await test.step('the server fails', async () => {
      await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: {} }));
      await open(page, path, heading);
      if (failed !== undefined) {
        // Reading is tried again before anybody is told.
        await expect(page.getByText(failed, { exact: true }).first()).toBeVisible({ timeout: 15_000 });
      }
      await examine(page, `${path}, failed`);
    });
  });
}

test('the gallery of an event while it waits, when it is empty, and when the server fails', async ({
  page,
  server,
  request,
}) => {
  test.slow();
  const event = await createEvent(server, request, newcomer, 'Quiet evening', []);
  await logIn(page, newcomer, event);
  await page.route('**/api/photos/search*', () => new Promise(() => undefined));
  await open(page, '/admin/gallery', event.name);
  await expect(page.getByRole('status', { name: 'Loading the photos' })).toBeVisible();
  await examine(page, 'gallery, waiting');
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await open(page, '/admin/gallery', event.name);
  await expect(page.getByText('No photos yet', { exact: true })).toBeVisible();
  await examine(page, 'gallery, empty');

  await page.route('**/api/photos/search*', (route) => route.fulfill({ status: 503, json: {} }));
  await open(page, '/admin/gallery', event.name);
  const failed = page.getByText('Failed to load photos. Please try again.', { exact: true });
  await expect(failed.first()).toBeVisible({ timeout: 15_000 });
  await examine(page, 'gallery, failed');
});

test('buttons say that they are busy, and cannot be pressed twice', async ({ page, server, request }) => {
  const event = await createEvent(server, request, newcomer, 'Busy evening', []);
  await page.route('**/api/auth/login', () => new Promise(() => undefined));
  await page.goto('/login');
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill('whatever it is');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('main').getByRole('button', { name: /Login|Logging in/ })).toBeDisabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await page.route('**/api/contact/submit', () => new Promise(() => undefined));
  await page.goto('/contact');
  for (const field of ['Name', 'Email', 'Subject', 'Message']) {
    await page.getByRole('textbox', { name: field }).fill(field === 'Email' ? 'guest@example.com' : `A ${field.toLowerCase()}`);
  }
  await page.getByRole('button', { name: /Send/ }).click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await logIn(page, newcomer, event);
  await page.route('**/api/events/**', (route) =>
    route.request().method() === 'DELETE' ? new Promise(() => undefined) : route.continue(),
  );
  await page.goto('/admin/events');
  await page.getByRole('button', { name: 'Delete' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Delete/ }).click();
  await expect(dialog.getByRole('button', { name: /Delet/ })).toBeDisabled();
});

async function open(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}
