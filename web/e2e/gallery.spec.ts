import type { Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';
import { emptyPicture } from './pictures';

const COUNT = 24;

let photographer: Photographer;
let event: Event;
let other: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'gallery@example.com');
  const pictures = Array.from({ length: COUNT }, (_, index) => ({
    name: `DSC_${index + 1}.png`,
    bytes: emptyPicture(index + 1, 320),
  }));
  event = await createEvent(server, request, photographer, 'Sangeet', pictures);
  other = await createEvent(server, request, photographer, 'Haldi', []);
  await request.dispose();
});

const eventOf = (page: Page) => new URL(page.url()).searchParams.get('event');

test('two tabs, a reload and the back button each keep the event of their address', async ({
  page,
  context,
}) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/upload');
  await expect(page.getByText(/^To Sangeet\./)).toBeVisible();
  // The address follows the screen, after it has been painted.
  await expect.poll(() => eventOf(page)).toBe(event.id);

  const tab = await context.newPage();
  await tab.goto(`/admin/upload?event=${other.id}`);
  await expect(tab.getByText(/^To Haldi\./)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^To Sangeet\./)).toBeVisible();
  await tab.reload();
  await expect(tab.getByText(/^To Haldi\./)).toBeVisible();

  await page.getByRole('navigation').getByRole('link', { name: 'Gallery' }).click();
  await expect(page.getByRole('heading', { name: 'Sangeet' })).toBeVisible();
  await page.getByRole('button', { name: /change event/ }).click();
  await page.getByRole('option', { name: /Haldi/ }).click();
  await expect(page.getByRole('heading', { name: 'Haldi' })).toBeVisible();
  await expect.poll(() => eventOf(page)).toBe(other.id);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sangeet' })).toBeVisible();

  await page.goto('/admin/gallery?event=somebody-elses');
  await expect(page.getByText(/not among your events/)).toBeVisible();
});

test('a range is selected with Shift, and its bar stays in sight and downloads it', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/admin/gallery');
  await page.getByRole('checkbox', { name: 'Select DSC_24.png' }).check();
  await page.getByRole('button', { name: 'Select DSC_20.png' }).click({ modifiers: ['Shift'] });
  await expect(page.getByText('5 photos selected')).toBeInViewport();
  await page.mouse.wheel(0, 3000);
  await expect(page.getByRole('button', { name: 'Select DSC_1.png' })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Delete 5' })).toBeInViewport();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^sangeet-.+\.zip$/);
  await page.keyboard.press('Control+a');
  await expect(page.getByText(`${COUNT} photos selected`)).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/photos selected/)).toBeHidden();

  // On a phone: how many with what selects others, and what is done with them, below one another.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('checkbox', { name: 'Select DSC_24.png' }).check({ force: true });
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar.getByRole('button')).toHaveCount(5);
  const tops = await bar.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops.map(Math.round)).size).toBe(2);
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar).toBeHidden();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('going back closes the photo, and the gallery is where it was', async ({ page }) => {
    await logIn(page, photographer, event);
    await page.goto('/admin/overview');
    await page.goto('/admin/gallery');
    const tile = page.getByRole('button', { name: 'Open DSC_1.png' });
    // Only what is near the window is in the page.
    await page.getByRole('button', { name: `Open DSC_${COUNT}.png` }).waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await tile.scrollIntoViewIfNeeded();
    await tile.tap();
    const lightbox = page.getByRole('dialog', { name: 'Lightbox' });
    await expect(lightbox.getByText('DSC_1.png').first()).toBeVisible();
    await expect(lightbox.getByText(`${COUNT} of ${COUNT}`)).toBeVisible();
    await page.goBack();
    await expect(lightbox).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Sangeet' })).toBeAttached();
    await expect(tile).toBeInViewport();
    await expect(tile).toBeFocused();
  });
});

test('photos that arrive move nothing for those further down', async ({ page, server, request }) => {
  await logIn(page, photographer, event);
  await page.setViewportSize({ width: 1280, height: 500 });
  // The page looks for new photos four times a minute.
  await page.clock.install();
  await page.goto('/admin/gallery');
  const tile = page.getByRole('button', { name: 'Open DSC_1.png' });
  await tile.scrollIntoViewIfNeeded();
  const before = await tile.boundingBox();
  const answer = await request.post(`${server.url}/api/photos/upload`, {
    headers: { Authorization: `Bearer ${photographer.token}` },
    multipart: {
      photos: { name: 'LATE.png', mimeType: 'image/png', buffer: emptyPicture(99, 320) },
      event_id: event.id,
    },
  });
  expect(answer.status()).toBe(201);
  await page.clock.fastForward(20_000);
  const news = page.getByRole('button', { name: '1 new photo' });
  await expect(news).toBeVisible({ timeout: 30_000 });
  expect(await tile.boundingBox()).toEqual(before);
  await news.click();
  await expect(page.getByRole('button', { name: 'Open LATE.png' })).toBeInViewport();
});

test.describe('what the machine saw', () => {
  let faces: Event;

  test.beforeAll(async ({ server, playwright }) => {
    const request = await playwright.request.newContext();
    const empty = { name: 'hall.png', bytes: emptyPicture(7, 320) };
    faces = await createEvent(server, request, photographer, 'Mehndi', ['obama2.jpg', 'biden.jpg', empty]);
    await request.dispose();
  });

  test('faces are boxed in the viewer, and photos without one are found', async ({
    page,
  }) => {
    await logIn(page, photographer, faces);
    await page.goto(`/admin/gallery?event=${faces.id}`);
    await page.getByRole('button', { name: 'Open biden.jpg' }).click();
    const lightbox = page.getByRole('dialog', { name: 'Lightbox' });
    const picture = lightbox.locator('.yarl__slide_current img');
    await expect(picture).toHaveCSS('opacity', '1');
    await page.keyboard.press('f');
    await expect(lightbox.getByText('1 face found', { exact: true })).toBeVisible();
    const box = lightbox.locator('[data-faces] > *');
    await expect(box).toHaveCount(1);
    // The box lies in the photo, and is a part of it.
    await expect
      .poll(async () => {
        const [outer, inner] = [await picture.boundingBox(), await box.boundingBox()];
        if (outer === null || inner === null) return 'no box';
        const within =
          inner.x >= outer.x &&
          inner.y >= outer.y &&
          inner.x + inner.width <= outer.x + outer.width &&
          inner.y + inner.height <= outer.y + outer.height;
        return within && inner.width < outer.width * 0.8 ? 'within' : JSON.stringify([outer, inner]);
      })
      .toBe('within');
    await examine(page, 'viewer with faces');
    await page.reload();
    await expect(lightbox.getByRole('button', { name: 'Show faces' })).toHaveAttribute('aria-pressed', 'true');
    await expect(box).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(lightbox).toBeHidden();

    await page.getByRole('button', { name: 'Sort and filter' }).click();
    await page.getByRole('radio', { name: 'No faces' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Open hall.png' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open biden.jpg' })).toBeHidden();
    await expect(page.getByText('3 photos', { exact: true })).toBeVisible();
    await examine(page, 'photos without faces');
  });
});
