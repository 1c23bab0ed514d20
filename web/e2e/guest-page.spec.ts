import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { createEvent, type Event, signUp } from './accounts';
import { expect, test as base } from './fixtures';
import { chooseSelfie, openEvent } from './guests';
import { picture } from './pictures';
import { doubleTap } from './touch';

const PHOTOS = 7;
const FOUND = `${PHOTOS} from Asha & Ravi`;

/** Tests with one event for all of them, whose photos are all of the person of the selfie, and one without photos. */
const test = base.extend<object, { event: Event; early: Event }>({
  event: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'page@example.com');
      const files = Array.from({ length: PHOTOS }, (_, at) => {
        const bytes = readFileSync(picture(['obama3.jpg', 'obama2.jpg'][at % 2] ?? ''));
        // Other bytes behind the end of the picture make another photo of it.
        return { name: `${at}.jpg`, bytes: Buffer.concat([bytes, Buffer.from([at])]) };
      });
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', files));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  early: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'early-page@example.com');
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', []));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

async function openResults(page: Page, event: Event): Promise<void> {
  await openEvent(page, event);
  await chooseSelfie(page);
  await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
  // The results scroll into sight, and their tiles rise.
  await page.waitForTimeout(1200);
}

const tile = (page: Page, position: number) => page.locator('li[data-photo]').nth(position - 1);

/** The names of the controls that the message covers with its own ones, or, for a mouse, with its words. */
const coveredByMessage = (page: Page) =>
  page.evaluate(() => {
    const message = document.querySelector('[role=status] button[aria-label=Dismiss]')?.closest('[role=status]');
    if (message == null) return ['there is no message'];
    const controls = [...document.querySelectorAll<HTMLElement>('main button, main label, main a')];
    return controls
      .filter((control) => {
        if (message.contains(control) || control.closest('li[data-photo]') !== null) return false;
        const { left, top, width, height } = control.getBoundingClientRect();
        return message.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      })
      .map((control) => control.textContent);
  });

/** The names of the controls over which the message lies when they have the focus. */
const coveredWhenFocused = (page: Page) =>
  page.evaluate(() => {
    const message = document.querySelector('[role=status] button[aria-label=Dismiss]')?.closest('[role=status]');
    if (message == null) return ['there is no message'];
    const controls = [...document.querySelectorAll<HTMLElement>('main button, main a')].filter(
      (control) => !message.contains(control) && control.getClientRects().length > 0,
    );
    return controls
      .filter((control) => {
        control.focus();
        const [over, under] = [message.getBoundingClientRect(), control.getBoundingClientRect()];
        // Some of a photo that is higher than the window is clear of it in any case.
        if (under.height > over.top - 76) return false;
        return under.top < over.bottom && over.top < under.bottom && under.left < over.right && over.left < under.right;
      })
      .map((control) => control.ariaLabel ?? control.textContent);
  });

test('is seen before its scripts are there, and its words stay where they are when they come [PUB064]', async ({
  page,
  event,
  early,
}) => {
  const pages = [event, early].flatMap(({ slug }) => [360, 390, 1280].map((width) => ({ slug, width })));
  for (const { slug, width } of pages) {
    await page.setViewportSize({ width, height: 844 });
    let goOn = (): void => undefined;
    const wanted = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/assets/*.js', async (route) => {
      await wanted;
      await route.continue();
    });
    await page.goto(`/event/${slug}`, { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { level: 1, name: 'Asha & Ravi' });
    await expect(heading).toBeVisible();
    await expect(page.locator('main')).toHaveAttribute('aria-busy', 'true');
    const before = await heading.boundingBox();
    goOn();
    await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
    await expect(page.locator('main')).toHaveAttribute('aria-busy', 'false');
    // What an event without photos says comes last.
    await expect(page.getByText('The photos are not here yet.')).toHaveCount(slug === early.slug ? 1 : 0);
    const after = await heading.boundingBox();
    for (const side of ['x', 'y'] as const)
      expect(Math.abs((before?.[side] ?? 0) - (after?.[side] ?? NaN)), `${side} of ${slug} at ${width}`).toBeLessThan(4);
    await page.unroute('**/assets/*.js');
  }
});

test.describe('with a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the message of the matches is above the bar, covers no control, and stays below what is opened [FACE018] [FACE025]', async ({
    page,
    event,
  }) => {
    await openResults(page, event);
    const message = page.getByRole('status').filter({ hasText: `${PHOTOS} matches found.` });
    await expect(message).toBeVisible();
    const bar = page.getByRole('button', { name: /^Download All Photos/ });
    const [below, above] = [await bar.boundingBox(), await message.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    expect(await coveredByMessage(page)).toEqual([]);
    // Photos scroll below it as below the bar, and none stays there.
    await message.hover();
    expect(await coveredWhenFocused(page)).toEqual([]);
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('button', { name: 'More for these photos' }).click();
    await expect(page.getByRole('dialog').getByText('matches found.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: `Photo 1 of ${PHOTOS}` }).click();
    await expect(page.locator('.yarl__slide_current img')).toBeVisible();
    const seen = await page.evaluate(() => document.elementFromPoint(195, innerHeight - 130)?.closest('[role=dialog]') !== null);
    expect(seen, 'the viewer is above the message').toBe(true);
  });

  test('photos begin high on the page, and hearts move nothing', async ({ page, event }) => {
    await openResults(page, event);
    const top = async () => (await tile(page, 1).boundingBox())?.y ?? Infinity;
    const before = await top();
    expect(before).toBeLessThanOrEqual(260);
    const search = await page.getByRole('button', { name: 'Search Again' }).boundingBox();
    expect(await tile(page, 1).getByRole('button').count(), 'the photo and one disc').toBe(2);
    await page.getByRole('button', { name: `Photo 1 of ${PHOTOS}` }).click();
    await page.getByRole('button', { name: 'Add photo 1 to your favourites' }).click();
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Favourites (1)' })).toBeVisible();
    await expect(page.locator('.yarl__root')).toHaveCount(0);
    expect(await top()).toBe(before);
    const { x, y } = (await page.getByRole('button', { name: 'Search Again' }).boundingBox()) ?? { x: 0, y: 0 };
    expect([x, y]).toEqual([search?.x, search?.y]);
  });

  test('a second double tap zooms back, and Back closes one thing at a time [FACE090]', async ({ page, event }) => {
    await openResults(page, event);
    await page.getByRole('button', { name: `Photo 1 of ${PHOTOS}` }).click();
    const shown = page.locator('.yarl__slide_current img');
    await expect(shown).toHaveCSS('opacity', '1');
    const zoom = () =>
      shown.evaluate((photo) => photo.getBoundingClientRect().width / (photo as HTMLElement).offsetWidth);
    await doubleTap(page);
    await expect.poll(zoom).toBeGreaterThan(1.5);
    await page.waitForTimeout(600);
    await doubleTap(page);
    await expect.poll(zoom).toBeCloseTo(1, 1);
    await page.getByRole('button', { name: 'More for photo 1' }).click();
    await expect(page.getByRole('button', { name: "That's not me" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: "That's not me" })).toBeHidden();
    await expect(shown).toBeVisible();
    await page.goBack();
    await expect(shown).toBeHidden();
    await expect(page.getByText(FOUND)).toBeVisible();
  });
});

for (const [name, viewport] of Object.entries({
  'a small phone': { width: 320, height: 568 },
  'a phone held across': { width: 844, height: 390 },
})) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport, isMobile: true, hasTouch: true });

    test('at least one whole photo is seen', async ({ page, event }) => {
      await openResults(page, event);
      // The message goes by itself after 6 s.
      await page.getByRole('button', { name: 'Dismiss' }).click();
      const whole = await page.evaluate(() =>
        [...document.querySelectorAll('li[data-photo]')].filter((item) => {
          const { left, top, right, bottom } = item.getBoundingClientRect();
          const corners = [left + 3, right - 3].flatMap((x) => [top + 3, bottom - 3].map((y) => [x, y] as const));
          return corners.every(([x, y]) => {
            const seen = document.elementFromPoint(x, y);
            return seen !== null && item.contains(seen);
          });
        }).length,
      );
      expect(whole).toBeGreaterThan(0);
    });
  });
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
]) {
  test.describe(`with text of twice the size at ${viewport.width} px`, () => {
    test.use({ viewport, isMobile: true, hasTouch: true });

    test('nothing is wider than the phone, cut off, or broken within a word', async ({ page, event }) => {
      await page.addInitScript(() => {
        addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'));
      });
      const fits = async (where: string) => {
        const { wide, cut } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth - window.innerWidth,
          // Words that their control has no space for.
          cut: [...document.querySelectorAll('button, h1, h2, header a, header label')]
            .filter(({ scrollWidth, clientWidth, clientHeight }) => clientHeight > 1 && scrollWidth > clientWidth + 1)
            .map(({ textContent }) => textContent),
        }));
        expect.soft(wide, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
        expect.soft(cut, where).toEqual([]);
      };
      await openEvent(page, event);
      await fits('start');
      await expect(page.getByRole('button', { name: 'Open camera' })).toBeInViewport({ ratio: 1 });
      await chooseSelfie(page);
      await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
      await fits('results');
      await page.getByRole('button', { name: 'Remove me from the photos' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await fits('remove me');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await expect(page.getByRole('link', { name: 'Register' })).toBeInViewport({ ratio: 1 });
      await fits('menu');
    });
  });
}

test.describe('with the keyboard', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('Download All comes after at most 12 stops, and Tab stays in the viewer with a message', async ({ page, event }) => {
    await openResults(page, event);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      document.body.tabIndex = -1;
      document.body.focus();
    });
    let stops = 0;
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    do {
      await page.keyboard.press('Tab');
      stops += 1;
    } while (!(await focused()).startsWith('Download All Photos') && stops < 30);
    expect(stops).toBeLessThanOrEqual(12);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('button', { name: `Photo 2 of ${PHOTOS}` })).toBeFocused();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog');
    await viewer.getByRole('button', { name: 'Download photo 2' }).click();
    await expect(viewer.getByText('Photo downloaded successfully!')).toBeVisible();
    const reached = new Set<string>();
    for (let tab = 0; tab < 12; tab += 1) {
      await page.keyboard.press('Tab');
      const { inside, name } = await page.evaluate(() => ({
        inside: document.activeElement === document.body || document.activeElement?.closest('[role=dialog]') !== null,
        name: document.activeElement?.getAttribute('aria-label') ?? '',
      }));
      expect(inside, `after ${tab + 1} tabs`).toBe(true);
      reached.add(name);
    }
    expect([...reached]).toContain('Dismiss');
  });
});
