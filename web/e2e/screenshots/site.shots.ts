import { type Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { saveScreenshot } from './save';

const PAGES: Record<string, string> = {
  landing: '/',
  pricing: '/pricing',
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms',
  refunds: '/cancellation-refunds',
  shipping: '/shipping',
  demo: '/demo',
  login: '/login',
  register: '/register',
  'forgot-password': '/forgot-password',
};

for (const [name, path] of Object.entries(PAGES)) {
  test(name, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await loadPictures(page);
    await saveScreenshot(page, `site-${name}`);
  });
}

test('a screen that breaks', async ({ page }) => {
  await page.route('**/assets/PricingPage-*.js', (route) => route.abort());
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await saveScreenshot(page, 'site-error');
});

/** Pictures below the fold are not waited for, they are asked for. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
  await page.waitForLoadState('networkidle');
}
