import { createEvent, type Event, logIn, PASSWORD, type Photographer, signUp } from '../accounts';
import { expect, test as base } from '../fixtures';
import { startServer } from '../server';
import { saveAtExtremes, saveScreenshot } from './save';

/** Pictures of an account: its sessions, a change of its address, and the switches of an event. */
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

const EMAIL = 'account@example.com';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, EMAIL);
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', []);
  for (const agent of [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'curl',
  ]) {
    const answer = await request.post(`${server.url}/api/auth/login`, {
      data: { email: EMAIL, password: PASSWORD },
      headers: { 'User-Agent': agent },
    });
    expect(answer.ok()).toBe(true);
  }
  await request.dispose();
});

test('sessions, and a change of the address', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/account');
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'End all others' })).toBeVisible();
  await saveAtExtremes(page, 'admin-account-sessions');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Token name').fill('Lightroom at the studio');
  await page.getByRole('dialog').getByLabel('Current Password').fill(PASSWORD);
  await saveAtExtremes(page, 'admin-account-token-form');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByRole('dialog', { name: 'Your new API token' })).toBeVisible();
  await saveAtExtremes(page, 'admin-account-token-created');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Expires on')).toBeVisible();
  await saveAtExtremes(page, 'admin-account-tokens');
  await page.getByRole('button', { name: 'Change Email' }).click();
  for (const field of ['New email', 'Confirm email'])
    await page.getByLabel(field).fill('mira.krishnamurthy-sengupta@photography-studio.example.com');
  await page.getByLabel('Current Password').first().fill(PASSWORD);
  await saveAtExtremes(page, 'admin-account-email-form');
  await page.getByRole('button', { name: 'Update Email' }).click();
  await expect(page.getByText('waits for its verification')).toBeVisible();
  await saveAtExtremes(page, 'admin-account-email-waiting');
});

test('two-step login is set up', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/account');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByLabel('Current Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  await saveAtExtremes(page, 'admin-account-two-step');
});

test('the switches of an event', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/settings');
  await expect(page.getByText('Guests get originals with location and serial numbers')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await saveAtExtremes(page, 'admin-settings-switches');
});

test('a login for cameras', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/settings');
  await page
    .getByRole('button', { name: 'Set up Camera (FTP)' })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Camera (FTP)' });
  await expect(dialog.getByRole('button', { name: 'Switch on' })).toBeVisible();
  await saveAtExtremes(page, 'admin-events-camera-off', 'window');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await saveAtExtremes(page, 'admin-events-camera-form', 'window');
  await dialog.getByLabel('Current Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(dialog.getByRole('button', { name: 'Copy password' })).toBeVisible();
  await saveScreenshot(page, 'admin-events-camera', 'window');
  await saveAtExtremes(page, 'admin-events-camera', 'window');
});

test('a change of the address is agreed to', async ({ page }) => {
  await page.goto('/agree-email-change#token=unknown');
  await expect(page.getByRole('button', { name: 'Agree to the new email' })).toBeVisible();
  await saveAtExtremes(page, 'site-agree');
  await page.getByRole('button', { name: 'Agree to the new email' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await saveAtExtremes(page, 'site-agree-refused');
  await page.route('**/api/**', (route) => route.fulfill({ json: { success: true, in_force: false } }));
  await page.getByRole('button', { name: 'Agree to the new email' }).click();
  await expect(page.getByText(/^You have agreed/)).toBeVisible();
  await saveAtExtremes(page, 'site-agree-done');
  await page.goto('/agree-email-change');
  await saveAtExtremes(page, 'site-agree-incomplete');
});

test('a change of the address is taken back', async ({ page }) => {
  await page.goto('/revoke-email-change#token=unknown');
  await expect(page.getByRole('button', { name: 'Take the change back' })).toBeVisible();
  await saveAtExtremes(page, 'site-revoke');
  await page.getByRole('button', { name: 'Take the change back' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await saveAtExtremes(page, 'site-revoke-refused');
  await page.route('**/api/**', (route) => route.fulfill({ json: { success: true } }));
  await page.getByRole('button', { name: 'Take the change back' }).click();
  await expect(page.getByText(/^The change is taken back/)).toBeVisible();
  await saveAtExtremes(page, 'site-revoke-done');
  await page.goto('/revoke-email-change');
  await saveAtExtremes(page, 'site-revoke-incomplete');
});
