import { type Page } from '@playwright/test';
import { createEvent, type Event, signUp } from './accounts';
import { examine } from './axe';
import { expect, test as base } from './fixtures';
import { findPhotos } from './guests';
import { doubleTap, pinch, swipe } from './touch';

/** Tests with one event for all of them. */
const test = base.extend<object, { event: Event }>({
  event: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'viewer@example.com');
      const pictures = ['obama2.jpg', 'obama3.jpg', 'biden.jpg'];
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', pictures));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const viewer = (page: Page) => page.getByRole('dialog');
const shown = (page: Page) => page.locator('.yarl__slide_current img');

/** How large the photo in sight is, in proportion to its width without zoom. */
async function zoom(page: Page): Promise<number> {
  return shown(page).evaluate((photo) => photo.getBoundingClientRect().width / (photo as HTMLElement).offsetWidth);
}

/** Where the photo in sight is. */
const place = (page: Page) => shown(page).evaluate((photo) => photo.getBoundingClientRect().x);

async function openPhoto(page: Page, event: Event): Promise<void> {
  await findPhotos(page, event);
  await openFound(page);
}

async function openFound(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Photo 1 of 2/ }).click();
  await expect(shown(page)).toHaveAttribute('alt', /^Photo 1 of 2/);
  await expect(shown(page)).toHaveCSS('opacity', '1');
}

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

test.describe('with fingers', () => {
  test.use(PHONE);

  test('pinching and a double tap zoom; neither they nor swipes turn the page or close the viewer then [FACE090]', async ({
    page,
    event,
  }) => {
    await openPhoto(page, event);
    await pinch(page, 100, 300);
    await expect.poll(() => zoom(page)).toBeGreaterThan(1.5);
    // Back to the whole photo, also with fingers on the ground above and below it.
    await pinch(page, 700, 100);
    await expect.poll(() => zoom(page)).toBeCloseTo(1, 1);
    await pinch(page, 700, 100);
    await page.waitForTimeout(600);
    await expect(viewer(page)).toBeVisible();
    await expect(shown(page)).toHaveAttribute('alt', /^Photo 1 of 2/);

    await doubleTap(page);
    await expect.poll(() => zoom(page)).toBeGreaterThan(1.5);
    await page.waitForTimeout(400);
    const before = await place(page);
    await swipe(page, -220);
    await expect.poll(() => place(page)).toBeLessThan(before - 50);
    await swipe(page, 0, 300);
    await page.waitForTimeout(600);
    await expect(shown(page)).toHaveAttribute('alt', /^Photo 1 of 2/);
    await pinch(page, 700, 60);
    await expect.poll(() => zoom(page)).toBeCloseTo(1, 1);
    // And without zoom, swipes are what they were. No hand lifts two fingers and swipes within 10 ms.
    await page.waitForTimeout(400);
    await swipe(page, -220);
    await expect(shown(page)).toHaveAttribute('alt', /^Photo 2 of 2/);
    await swipe(page, 0, 400);
    await expect(viewer(page)).toBeHidden();
  });
});

test.describe('with mouse and keyboard', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('the wheel, a double click, + and − zoom, and the keyboard stays in the viewer and comes back to the tile [FACE090] [FACE092]', async ({
    page,
    event,
  }) => {
    await openPhoto(page, event);
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -200);
    await expect.poll(() => zoom(page)).toBeGreaterThan(1.2);
    await page.mouse.wheel(0, 2000);
    await expect.poll(() => zoom(page)).toBeCloseTo(1, 1);
    await page.keyboard.press('+');
    await expect.poll(() => zoom(page)).toBeGreaterThan(1.5);
    await page.keyboard.press('-');
    await expect.poll(() => zoom(page)).toBeCloseTo(1, 1);
    await page.mouse.dblclick(640, 400);
    await expect.poll(() => zoom(page)).toBeGreaterThan(1.5);
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(600);
    await expect(shown(page)).toHaveAttribute('alt', /^Photo 1 of 2/);
    await page.keyboard.press('Escape');
    await expect(viewer(page)).toBeHidden();

    await openFound(page);
    await expect(viewer(page).getByRole('status')).toHaveText(/^Photo 1 of 2/);
    for (let tab = 0; tab < 8; tab += 1) {
      await page.keyboard.press('Tab');
      const outside = await page.evaluate(
        () =>
          document.activeElement !== document.body &&
          document.activeElement?.closest('[role=dialog]') === null,
      );
      expect(outside, `after ${tab + 1} tabs`).toBe(false);
    }
    const inside = () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') != null);
    // Behind the last control is the browser's own, and then the first one again.
    if (!(await inside())) await page.keyboard.press('Tab');
    expect(await inside()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page).getByRole('status')).toHaveText(/^Photo 2 of 2/);
    await page.keyboard.press('Escape');
    await expect(viewer(page)).toBeHidden();
    await expect(page.getByRole('button', { name: /^Photo 2 of 2/ })).toBeFocused();
  });

  test('axe finds nothing, and its messages are above it [FACE092] [FACE093]', async ({ page, event }) => {
    await openPhoto(page, event);
    await viewer(page).getByRole('button', { name: 'Download photo 1' }).click();
    const message = viewer(page).getByRole('status').filter({ hasText: 'Photo downloaded successfully!' });
    await expect(message).toBeVisible();
    // It slides in.
    const top = async () => {
      const box = await message.boundingBox();
      return page.evaluate(
        ([x, y]) => document.elementFromPoint(x ?? 0, y ?? 0)?.closest('[role=status]')?.textContent,
        [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20],
      );
    };
    await expect.poll(top).toContain('Photo downloaded successfully!');
    await examine(page, 'viewer');
  });
});

test.describe('on a slow network', () => {
  test.use(PHONE);

  test('the photo of the tile is shown at once, and an image that failed is tried again [FACE091]', async ({
    page,
    event,
  }) => {
    let lost = true;
    await page.route(/\/api\/files\/[^/]+\/preview\?/, (route) => (lost ? route.abort() : route.continue()));
    await findPhotos(page, event);
    await page.getByRole('button', { name: /^Photo 1 of 2/ }).click();
    await expect(page.getByText('This photo could not be loaded in full.')).toBeVisible();
    const behind = await shown(page).evaluate((photo) => photo.parentElement?.style.backgroundImage);
    expect(behind).toMatch(/^url\(/);
    lost = false;
    await viewer(page).getByRole('button', { name: 'Try again' }).click();
    await expect(shown(page)).toHaveCSS('opacity', '1');
    await expect(page.getByText('This photo could not be loaded in full.')).toBeHidden();
  });
});
