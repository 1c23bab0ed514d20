import { expect, test } from './fixtures';

const PAGES: [path: string, heading: string][] = [
  ['/', 'Professional Photo Management with AI-Powered Face Recognition'],
  ['/pricing', 'One rupee a photo. No subscription.'],
  ['/login', 'Login'],
  ['/register', 'Register'],
];

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pages can be read, and nothing can be typed [NAV082] [NAV084]', async ({ page }) => {
    for (const [path, heading] of PAGES) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    }
    await expect(page.locator('form input:disabled')).not.toHaveCount(0);
    await expect(page.locator('form input:enabled')).toHaveCount(0);
  });
});

for (const locale of ['en-GB', 'hi-IN', 'ar'])
  test(`the scripts take the pages over as they are (${locale}) [NAV082]`, async ({ browser, server }) => {
    for (const width of [390, 1280]) {
      const context = await browser.newContext({ baseURL: server.url, locale, viewport: { width, height: 844 } });
      const page = await context.newPage();
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      await page.addInitScript(() => {
        document.addEventListener('DOMContentLoaded', () => document.querySelector('h1')?.setAttribute('data-first', ''));
      });
      for (const [path] of PAGES) {
        await page.goto(path);
        // The title is set by the scripts.
        await expect(page).not.toHaveTitle(/^Afterglow/);
        await expect(page.locator('h1')).toHaveAttribute('data-first', '');
        await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2));
        await expect(page.locator('fieldset:disabled')).toHaveCount(0);
      }
      expect(said).toEqual([]);
      await context.close();
    }
  });

test('a language that is chosen before the scripts are there is taken over [NAV085]', async ({ page }) => {
  let goOn = (): void => undefined;
  const chosen = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await chosen;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Language').selectOption('hi');
  await expect(page.locator('fieldset:disabled')).not.toHaveCount(0);
  goOn();
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
  await expect(page.locator('fieldset:disabled')).toHaveCount(0);
});

test('a page in another language than that of the browser is not seen in both [NAV083]', async ({ page }) => {
  await page.goto('/pricing');
  await page.getByLabel('Language').selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const chosen = await page.locator('h1').innerText();
  let release!: () => void;
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('h1')).toBeAttached();
  await expect(page.locator('h1')).toBeHidden();
  release();
  await expect(page.locator('h1')).toHaveText(chosen);
  await expect(page.locator('h1')).toBeVisible();
});
