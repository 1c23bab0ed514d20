import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { chooseSelfie } from '../guests';
import { emptyPicture } from '../pictures';
import { saveAtExtremes, saveScreenshot } from './save';

/** Pictures of a photographer's studio: its form, and what guests see of it. */
let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'studio@example.com');
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', ['obama.jpg', 'obama2.jpg']);
  await request.dispose();
});

test('studio', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/account');
  const card = page.getByRole('region', { name: 'Studio' });
  await card.getByRole('button', { name: 'Set up studio' }).click();
  await page.getByLabel('Studio name').fill('Meera Kapoor Photography');
  await page.getByRole('textbox', { name: 'Accent colour', exact: true }).fill('#E8B65A');
  await page.getByLabel('Website').fill('meerakapoor.example');
  await page.getByLabel('Instagram handle').fill('@meera.kapoor');
  await page.getByLabel('Contact').fill('call me');
  await card.getByRole('button', { name: 'Save studio' }).click();
  await expect(card.getByText('Contact must be an email address')).toBeVisible();
  await saveScreenshot(page, 'admin-studio-form');
  await page.getByLabel('Contact').fill('+91 98450 12345');
  await card.getByRole('button', { name: 'Save studio' }).click();
  await expect(card.getByText('Dark theme').first()).toBeVisible();
  await saveScreenshot(page, 'admin-studio');
  await saveAtExtremes(page, 'admin-studio');
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: emptyPicture(3, 300) };
  await card.getByLabel('Logo file', { exact: true }).setInputFiles(logo);
  await expect(card.getByRole('button', { name: 'Replace logo' })).toBeVisible();

  const watermark = page.getByRole('region', { name: 'Watermark' });
  await watermark.getByRole('button', { name: 'Set up watermark' }).click();
  await watermark.getByRole('radio', { name: 'Also on photos that they save in web size' }).check();
  await watermark.getByRole('radio', { name: 'All over the photo' }).check();
  await saveScreenshot(page, 'admin-watermark-form');
  await watermark.getByRole('button', { name: 'Save watermark' }).click();
  const sample = watermark.getByRole('img', { name: 'A picture with the watermark' });
  await expect(sample).toHaveJSProperty('naturalWidth', 1200);
  await saveScreenshot(page, 'admin-watermark');
  await saveAtExtremes(page, 'admin-watermark');

  await page.goto(`/event/${event.slug}`);
  await expect(page.getByRole('link', { name: 'meerakapoor.example' })).toBeVisible();
  await saveScreenshot(page, 'guest-studio', 'window');
  await saveAtExtremes(page, 'guest-studio', 'window');

  await chooseSelfie(page);
  await expect(page.getByText(/^2 from/)).toBeVisible({ timeout: 60_000 });
  await saveScreenshot(page, 'guest-watermark');
  await page.getByRole('button', { name: 'Photo 1 of 2' }).click();
  const shown = page.getByRole('dialog').getByRole('img', { name: 'Photo 1 of 2' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.complete)).toBe(true);
  await saveScreenshot(page, 'guest-watermark-viewer', 'window');
  await page.getByRole('dialog').getByRole('button', { name: 'Add photo 1 to your favourites' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Favourites (1)' }).click();
  await expect(page.getByRole('heading', { name: 'Your Favourites' })).toBeVisible();
  await saveScreenshot(page, 'guest-favourites');
});
