import { expect, test } from './fixtures';
import { emptyPicture } from './pictures';

test('the demo is clicked through without a call to the server, and leaves the session alone [PUB055]', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
  });
  await page.goto('/demo');
  await page.evaluate(() => localStorage.setItem('token', 'of somebody'));
  await page.getByRole('link', { name: /^Dashboard/ }).click();
  await expect(page.getByText('Sample event: 210 of 247 photos searchable.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Gallery' }).click();
  await expect(page.getByText('247 photos', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Open / }).first().click();
  await expect(page.locator('.yarl__slide_current img')).toBeVisible();
  await page.goBack();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click();
  await page.getByLabel('Choose photos').setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: emptyPicture(1, 64) });
  await expect(page.getByRole('region', { name: 'Share the link' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 credit a photo, 171 left')).toBeVisible();
  await page.getByRole('link', { name: 'Leave the demo' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The night at a glance' })).toBeVisible();
  const stored = () => page.evaluate(() => Object.entries(localStorage));
  await expect.poll(stored).toEqual([['token', 'of somebody']]);
  expect(calls).toEqual([]);
});

test('a light and a dark theme, as the system has it [RUN066]', async ({ page }) => {
  const grounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/privacy');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  expect(grounds).toEqual(['rgb(244, 244, 243)', 'rgb(14, 14, 14)']);
});

test('the contact toast stands at the bottom centre for 6 s [PUB039] [PUB040] [CONST028]', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/contact');
  await page.getByLabel('Name').fill('Asha');
  await page.getByLabel('Email').fill('asha@studio.example');
  await page.getByLabel('Subject').fill('Hello');
  await page.getByRole('textbox', { name: 'Message' }).fill('A question');
  await page.clock.install();
  await page.getByRole('button', { name: 'Send Message' }).click();
  const toast = page.getByRole('status').filter({ hasText: 'Thank you for your message!' });
  await expect(toast).toBeVisible();
  const box = await toast.boundingBox();
  if (box === null) throw new Error('the toast has no box');
  expect(Math.abs(box.x + box.width / 2 - 640)).toBeLessThanOrEqual(8);
  expect(box.y + box.height).toBeGreaterThan(740);
  await page.clock.fastForward(5_000);
  await expect(toast).toBeVisible();
  await page.clock.fastForward(1_500);
  await expect(toast).toBeHidden();
});

test('a screen that breaks says so, and can be loaded again [NAV025]', async ({ page }) => {
  await page.route('**/assets/PricingPage-*.js', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('link', { name: 'Pricing' }).first().click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByText('Check your connection, then load it again.')).toBeVisible();
  await page.unroute('**/assets/PricingPage-*.js');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await expect(page.getByRole('heading', { name: /^One rupee/ })).toBeVisible();
});

test('icons and manifest are there and are what they say', async ({ page, request }) => {
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
  };
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  await page.goto('/demo');
  for (const { src, sizes, type } of [
    ...manifest.icons,
    { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' },
  ]) {
    const answer = await request.get(src);
    expect(answer.headers()['content-type'], src).toContain(type);
    const side = await page.evaluate(async (path) => {
      const image = new Image();
      image.src = path;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== 'any') expect(side, src).toBe(sizes);
  }
});
