import { type Page } from '@playwright/test';
import { languages } from '../src/platform/i18n/languages';
import { createEvent, type Event, signUp } from './accounts';
import { examine } from './axe';
import { nothingIsCutOff } from './cutOff';
import { expect, test as base } from './fixtures';
import { findPhotos } from './guests';

const test = base.extend<object, { event: Event }>({
  event: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'languages@example.com');
      const pictures = ['obama2.jpg', 'obama3.jpg'];
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', pictures));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** Whether the text that says which photo is in sight leaves the buttons beside it free. */
const isBesideToolbar = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const text = document.querySelector('[role=dialog] div > span[aria-hidden=true]');
    const buttons = [...document.querySelectorAll('.yarl__toolbar button')];
    if (text === null || buttons.length === 0) return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, bottom } = range.getBoundingClientRect();
    return buttons
      .map((button) => button.getBoundingClientRect())
      .every((button) => button.right <= left || button.left >= right || button.top >= bottom);
  });

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'en-IN' });

test('the page is in each language, and nothing is cut off', async ({ page, event }) => {
  await findPhotos(page, event);
  const heading = page.getByRole('heading', { level: 1 });
  const choice = page.getByRole('combobox');
  const titles = new Set<string>();
  for (const { tag, direction } of languages) {
    await test.step(tag, async () => {
      await choice.selectOption(tag);
      await expect(page.locator('html')).toHaveAttribute('lang', tag);
      await expect(page.locator('html')).toHaveAttribute('dir', direction);
      // Another selfie can be taken, and nothing that was found is lost.
      await expect(page.locator('[data-photo]')).toHaveCount(2);
      await nothingIsCutOff(page, `results, ${tag}`);
      titles.add((await heading.textContent()) ?? '');
      await page.locator('[data-photo]').first().getByRole('button').first().click();
      const viewer = page.getByRole('dialog');
      await viewer.locator('button[aria-expanded]').click();
      await expect(viewer.locator('button[aria-expanded=true]')).toBeVisible();
      await nothingIsCutOff(page, `a photo and its menu, ${tag}`);
      expect(await isBesideToolbar(page), `the photo's number, ${tag}`).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(viewer).toBeHidden();
      await page.goBack();
      await expect(page.locator('#find-your-photos')).toBeVisible();
      await nothingIsCutOff(page, `start, ${tag}`);
      await page.goForward();
      await expect(page.locator('[data-photo]')).toHaveCount(2);
    });
  }
  expect(titles.size).toBe(languages.length);
  await examine(page, 'results in the last language');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', languages.at(-1)?.tag ?? '');
});

for (const path of ['/', '/pricing', '/contact', '/login', '/register']) {
  test(`${path} is in each language, and nothing is cut off`, async ({ page }) => {
    await page.goto(path);
    const texts = new Set<string>();
    for (const { tag, direction } of languages) {
      await page.getByRole('combobox').selectOption(tag);
      await expect(page.locator('html')).toHaveAttribute('lang', tag);
      await expect(page.locator('html')).toHaveAttribute('dir', direction);
      await nothingIsCutOff(page, `${path}, ${tag}`);
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(width, `${path}, ${tag} scrolls sideways`).toBe(360);
      texts.add((await page.getByRole('main').textContent()) ?? '');
    }
    expect(texts.size).toBe(languages.length);
  });
}

test('the next page is in the same language, from its start, and does not scroll sideways', async ({ page }) => {
  for (const tag of ['hi', 'ar']) {
    await page.goto('/pricing');
    await page.getByRole('banner').getByRole('combobox').selectOption(tag);
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    await page.goto('/terms');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    await expect(page.locator('html')).toHaveAttribute('dir', tag === 'ar' ? 'rtl' : 'ltr');
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), tag).toBe(360);
  }
});

test.describe('of the browser', () => {
  test.use({ locale: 'ta-IN' });

  test('is spoken from the start, by the server’s refusals too', async ({ page, event }) => {
    const catalogues: string[] = [];
    page.on('request', (request) => {
      if (/\/assets\/guest-[^/]+\.js$/.test(request.url())) catalogues.push(request.url());
    });
    await page.goto(`/event/${event.slug}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ta');
    await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toHaveCount(0);
    await expect.poll(() => catalogues, 'only the language that is shown').toHaveLength(1);
    const blank = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank });
    const alert = page.locator('main').getByText(/[\u0b80-\u0bff]/).first();
    await expect(alert).toBeVisible();
    await expect(page.getByText(/No face|too small|Please|photo/)).toHaveCount(0);
  });

  test('gives way to English when it cannot be loaded, and to another attempt without that', async ({
    page,
    event,
  }) => {
    let lost = 1;
    await page.route(/\/assets\/guest-[^/]+\.js$/, (route) => (lost-- > 0 ? route.abort() : route.continue()));
    await page.goto(`/event/${event.slug}`);
    await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    lost = 2;
    await page.reload();
    await expect(page.getByText('The page could not be loaded over this connection.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ta');
    await expect(page.locator('#find-your-photos')).toBeVisible();
  });
});
