import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { emptyPicture } from '../pictures';
import { renderIllustrations } from './illustrations';
import { saveScreenshot } from './save';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'states@example.com');
  const illustrations = await renderIllustrations(browser);
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', illustrations.slice(0, 8));
  await request.dispose();
});

test.beforeEach(async ({ page }) => logIn(page, photographer, event));

const DIALOGS: Record<string, { at: string; open: (page: Page) => Promise<void> }> = {
  'qr-code': { at: 'events', open: (page) => press(page, 'QR Code') },
  'delete-event': { at: 'events', open: (page) => press(page, 'Delete') },
  premium: { at: 'overview', open: (page) => press(page, 'Upgrade to Premium') },
  sandbox: { at: 'overview', open: (page) => press(page, 'Pay ₹500') },
  notifications: { at: 'overview', open: (page) => press(page, /^Notifications/) },
  'event-switcher': { at: 'overview', open: (page) => press(page, /change event/) },
  export: { at: 'account', open: (page) => press(page, 'Download') },
  'delete-account': { at: 'account', open: (page) => press(page, 'Delete account') },
};
for (const [name, { at, open }] of Object.entries(DIALOGS)) {
  test(name, async ({ page }) => {
    await visit(page, `/admin/${at}`);
    await open(page);
    await page.waitForTimeout(400);
    await saveScreenshot(page, `admin-${at}-${name}`, 'window');
  });
}

test('account, editing', async ({ page }) => {
  await visit(page, '/admin/account');
  for (const card of ['Change Name', 'Change Email', 'Change Password']) await press(page, card);
  await page.getByLabel('New email').fill('mira@studio.example');
  await page.getByLabel('Confirm email').fill('mira@studio');
  await page.getByRole('textbox', { name: 'New Password', exact: true }).fill('abc');
  await page.getByRole('textbox', { name: 'New Password', exact: true }).blur();
  await saveScreenshot(page, 'admin-account-editing');
});

test('gallery, some photos chosen', async ({ page }) => {
  await visit(page, '/admin/gallery');
  await page.getByRole('checkbox', { name: 'Select arch.jpg' }).check();
  await page.getByRole('checkbox', { name: 'Select beach.jpg' }).check();
  await saveScreenshot(page, 'admin-gallery-chosen');
});

test('gallery, one photo large', async ({ page }) => {
  await visit(page, '/admin/gallery');
  await page.getByRole('button', { name: 'Open city.jpg' }).click();
  await page.waitForTimeout(600);
  await saveScreenshot(page, 'admin-gallery-lightbox', 'window');
  await page.keyboard.press('i');
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-lightbox-details', 'window');
});

test('gallery, hearts of guests', async ({ page }) => {
  await page.route('**/api/photos/search**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { photos: object[] };
    const list = body.photos.map((photo, at) => ({ ...photo, hearts: [12, 0, 3, 0, 1204][at % 5] }));
    await route.fulfill({ json: { ...body, photos: list } });
  });
  await visit(page, '/admin/gallery');
  await page.getByText('12 hearts').first().waitFor();
  await saveScreenshot(page, 'admin-gallery-hearts', 'window');
  await page.getByRole('button', { name: /^Open .*12 hearts/ }).first().click();
  await page.waitForTimeout(600);
  await page.keyboard.press('i');
  await expect(page.getByText('Hearts', { exact: true })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-lightbox-hearts', 'window');
});

test('gallery, its keys', async ({ page }) => {
  await visit(page, '/admin/gallery');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys of the gallery' })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-keys', 'window');
});

test('event created', async ({ page }) => {
  await visit(page, '/admin/event-registration');
  await press(page, 'Create event');
  await expect(page.getByText('Event name is required')).toBeVisible();
  await saveScreenshot(page, 'admin-event-registration-invalid');
  await page.getByLabel('Event name').fill('Aanya & Rohan, Reception');
  await page.getByLabel('Event date').fill('2026-11-22');
  await press(page, 'Create event');
  await expect(page.getByRole('img', { name: 'QR code of the event URL' })).toBeVisible();
  await saveScreenshot(page, 'admin-event-created');
});

test('login and registration', async ({ browser, server }) => {
  const page = await browser.newPage({ baseURL: server.url });
  await visit(page, '/login');
  await saveScreenshot(page, 'login');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('wrong horse');
  await press(page, 'Login');
  await expect(page.getByText('Invalid email or password')).toBeVisible();
  await saveScreenshot(page, 'login-refused');
  await visit(page, '/register');
  await saveScreenshot(page, 'register');
  await press(page, 'Create account');
  await expect(page.getByRole('textbox', { name: 'Full name' })).toHaveAttribute('aria-invalid', 'true');
  await saveScreenshot(page, 'register-invalid');
  await page.close();
});

const ANSWERS = [
  { status: 201, json: { duplicate: false } },
  { status: 200, json: { duplicate: true } },
  { status: 400, json: { error: 'The image is damaged and cannot be read', code: 'damaged' } },
];

test('upload, a batch under way', async ({ page }) => {
  let sent = 0;
  await page.route('**/api/photos/upload', async (route) => {
    const answer = ANSWERS[sent];
    sent += 1;
    if (answer !== undefined) await route.fulfill(answer);
  });
  await visit(page, '/admin/upload');
  await page.getByLabel('Choose photos').setInputFiles(batch(24));
  await expect(page.getByText('3 of 24')).toBeVisible();
  await saveScreenshot(page, 'admin-upload-running');
  await press(page, 'Pause');
  await saveScreenshot(page, 'admin-upload-paused');
  await page.reload();
  await expect(page.getByText(/still missing/)).toBeVisible();
  await saveScreenshot(page, 'admin-upload-unfinished');
});

test('upload, out of credit', async ({ page }) => {
  const error = 'Insufficient credits. Please add credits to continue uploading.';
  await page.route('**/api/photos/upload', (route) =>
    route.fulfill({ status: 402, json: { error, code: 'no_credit' } }),
  );
  await visit(page, '/admin/upload');
  await page.getByLabel('Choose photos').setInputFiles(batch(9));
  await expect(page.getByText('Uploading has stopped')).toBeVisible();
  await saveScreenshot(page, 'admin-upload-no-credit');
});

const batch = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `DSC_0${440 + index}.png`,
    mimeType: 'image/png',
    buffer: emptyPicture(index, 240),
  }));

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
}
