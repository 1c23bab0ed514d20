import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { openEvent } from '../guests';
import { renderIllustrations } from './illustrations';
import { FOLDER } from './save';

// The picture at the top of README.md (`make readme-picture`): an event that was just made, and its page on a phone. Nobody
// is in it.
const ORIGIN = 'https://photos.example.com';
const DESKTOP = { width: 1040, height: 760 };
const PHONE = { width: 390, height: 844 };
const QUALITY = 0.9;

let photographer: Photographer;
let event: Event;

test.use({ baseURL: ORIGIN });

test.beforeAll(async ({ server, browser, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'readme@example.com');
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', await renderIllustrations(browser));
  await request.dispose();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`README, ${colorScheme}`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.route(`${ORIGIN}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(ORIGIN, server.url) });
      const isData = response.headers()['content-type']?.includes('json') ?? false;
      // Links have the address that the service was started with.
      const body = isData ? (await response.text()).replaceAll(server.url, ORIGIN) : await response.body();
      await route.fulfill({ response, body });
    });
    await logIn(page, photographer);

    await page.setViewportSize(DESKTOP);
    await page.goto('/admin/event-registration');
    await page.getByLabel('Event name').fill('Aanya & Rohan, Sangeet');
    await page.getByLabel('Event date').fill('2026-11-28');
    await page.getByRole('button', { name: 'Create event' }).click();
    await expect(page.getByText('Event created')).toBeVisible();
    await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
    const made = await capture(page);

    await page.setViewportSize(PHONE);
    await openEvent(page, event);
    const opened = await capture(page);

    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `readme-${colorScheme}.webp`), await sideBySide(page, made, opened));
  });
}

async function capture(page: Page): Promise<string> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  return `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
}

/** Both screens with round corners, as tall as the first, as a WebP. */
async function sideBySide(page: Page, ...screens: string[]): Promise<Buffer> {
  const webp = await page.evaluate(
    async ([sources, height, quality]) => {
      const images = sources.map((source) => Object.assign(new Image(), { src: source }));
      await Promise.all(images.map((image) => image.decode()));
      const gap = 24;
      const widths = images.map((image) => Math.round((image.width * height) / image.height));
      const canvas = document.createElement('canvas');
      canvas.width = widths.reduce((sum, width) => sum + width, gap * (images.length - 1));
      canvas.height = height;
      const context = canvas.getContext('2d');
      let left = 0;
      for (const [index, image] of images.entries()) {
        const width = widths[index] ?? 0;
        context?.save();
        context?.beginPath();
        context?.roundRect(left, 0, width, height, 20);
        context?.clip();
        context?.drawImage(image, left, 0, width, height);
        // A white screen has to end somewhere on a white page.
        if (context) Object.assign(context, { strokeStyle: '#8886', lineWidth: 3 });
        context?.stroke();
        context?.restore();
        left += width + gap;
      }
      return canvas.toDataURL('image/webp', quality);
    },
    [screens, DESKTOP.height, QUALITY] as const,
  );
  return Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64');
}
