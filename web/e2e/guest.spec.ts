import { readFileSync } from 'node:fs';
import { type Download, type Page, type Route } from '@playwright/test';
import { createEvent, type Event, signUp } from './accounts';
import { swipe } from './touch';
import { expect, test as base } from './fixtures';
import { chooseSelfie, findPhotos, openEvent } from './guests';
import { emulateSlowDevice, watchVitals } from './network';
import { isGuestCopy, picture } from './pictures';
import { sideBySide } from './selfies';

/** Tests with one event for all of them. */
const test = base.extend<object, { event: Event }>({
  event: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'guests@example.com');
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', [...PRESIDENT, 'biden.jpg']));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const PRESIDENT = ['obama2.jpg', 'obama3.jpg'];
const SELFIE = 'obama.jpg';
const FOUND = '2 from Asha & Ravi';

const DEVICES = {
  'a small phone': { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  'a desk': { viewport: { width: 1280, height: 800 } },
};

for (const [device, options] of Object.entries(DEVICES)) {
  test.describe(`on ${device}`, () => {
    test.use(options);

    test('what a guest does is in the lower half of the window [FACE077]', async ({ page, event }) => {
      await openEvent(page, event);
      const { height } = options.viewport;
      const middle = async (name: string | RegExp) => {
        const box = await page.getByRole('button', { name }).boundingBox();
        expect(box, String(name)).not.toBeNull();
        expect((box?.y ?? 0) + (box?.height ?? 0), `${String(name)} is in sight`).toBeLessThanOrEqual(height);
        return (box?.y ?? 0) + (box?.height ?? 0) / 2;
      };
      // On a desk the sheet stands beside the picture, and a pointer reaches everything.
      if (options.viewport.width < 900) {
        await expect(async () => expect(await middle('Open camera')).toBeGreaterThan(height / 2)).toPass({ timeout: 20_000 });
        const box = await page.getByRole('button', { name: 'Open camera' }).boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(60);
        expect(box?.width).toBeGreaterThanOrEqual(options.viewport.width - 40);
      }
      await chooseSelfie(page);
      await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
      // The results may still slide in.
      await expect(async () =>
        expect(await middle(/^Download All Photos/)).toBeGreaterThan(height / 2),
      ).toPass({ timeout: 20_000 });
    });
  });
}

test.describe('with a phone', () => {
  test.use(DEVICES['a small phone']);

  test('of several faces the guest chooses the own one [FACE052]', async ({ page, browser, event }) => {
    const buffer = await sideBySide(browser, [SELFIE, 'biden.jpg']);
    await openEvent(page, event);
    const answer = page.waitForResponse((response) => response.url().includes('/api/face/search/'));
    await chooseSelfie(page, { name: 'two.jpg', mimeType: 'image/jpeg', buffer });
    await expect(page.getByRole('heading', { name: 'Which one is you?' })).toBeVisible({ timeout: 60_000 });
    const { faces } = (await (await answer).json()) as { faces: { x: number }[] };
    const right = faces.findIndex(({ x }) => x > 0.5);
    await page.getByRole('radio', { name: `Face ${right + 1}` }).check({ force: true });
    await page.getByRole('button', { name: 'Find me' }).click();
    await expect(page.getByText('1 from Asha & Ravi')).toBeVisible({ timeout: 60_000 });
  });

  test('the photos are gone through one at a time, and the shown one is saved [DOWN006]', async ({ page, event }) => {
    await openEvent(page, event);
    const answer = page.waitForResponse((response) => response.url().includes('/api/face/search/'));
    await chooseSelfie(page);
    await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
    const { matches } = (await (await answer).json()) as { matches: { s3_key: string }[] };
    await page.getByRole('button', { name: 'Photo 1 of 2' }).click();
    const shown = page.locator('.yarl__slide_current img');
    await expect(shown).toHaveAttribute('alt', /^Photo 1 of 2/);
      await swipe(page, -220);
    await expect(shown).toHaveAttribute('alt', /^Photo 2 of 2/);
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Download photo 2' }).click();
    expect(matches[1]?.s3_key).toContain((await saved).suggestedFilename());
    await swipe(page, 220);
    await expect(shown).toHaveAttribute('alt', /^Photo 1 of 2/);
    await swipe(page, 0, 400);
    await expect(shown).toBeHidden();
  });

  test('the network goes in the middle of a search, and nothing is lost', async ({ page, event }) => {
    await openEvent(page, event);
    const lost = await holdBack(page, '**/api/face/search/**');
    await chooseSelfie(page);
    await expect(page.getByText('Searching for your photos...')).toBeVisible();
    await page.context().setOffline(true);
    await lost.drop();
    const text = 'Failed to search for photos: you are offline. Please try again.';
    await expect(page.getByText(text).first()).toBeVisible();
    await expect(page.getByRole('img', { name: 'Your selfie' })).toBeVisible();
    await page.getByRole('button', { name: 'Search Again' }).click();
    await expect(page.getByText(text).first()).toBeVisible();
    // The network is back, and with it the search, without a tap.
    await page.context().setOffline(false);
    await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
  });

  test('the network goes in the middle of the downloads, and they can be tried again [DOWN018]', async ({
    page,
    event,
  }) => {
    await findPhotos(page, event);
    const first = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download photo 1', exact: true }).click();
    expect(readFileSync(await (await first).path()).length).toBeGreaterThan(10_000);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Download photo 2', exact: true }).click();
    await expect(page.getByText('Failed to download photo. Please try again.')).toBeVisible();
    await expect(page.getByText('You are offline')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Photo 1 downloaded/ })).toBeVisible();
    await page.context().setOffline(false);
    const second = page.waitForEvent('download');
    await page.getByRole('button', { name: /photo 2/i }).last().click();
    await second;
    await expect(page.getByText('Photo downloaded successfully!')).toBeVisible();
  });
});

test.describe('on a slow network', () => {
  test.use(DEVICES['a small phone']);

  test('the page comes without a jump, and a search says that it runs [RUN074] [RUN070]', async ({
    page,
    event,
  }, { annotations }) => {
    const vitals = await watchVitals(page);
    await emulateSlowDevice(page, 4);
    await openEvent(page, event);
    await page.waitForLoadState('networkidle');
    await chooseSelfie(page);
    await expect(page.getByRole('status').filter({ hasText: 'Searching for your photos...' })).toBeVisible();
    await expect(page.getByText(FOUND)).toBeVisible({ timeout: 120_000 });
    await page.waitForLoadState('networkidle');
    const { layoutShift, largestPaint } = await vitals();
    annotations.push({ type: 'measured', description: `largest paint ${largestPaint} ms, shift ${layoutShift}` });
    expect(layoutShift).toBeLessThan(0.1);
  });
});

test.describe('with reduced motion', () => {
  test('nothing moves while a search runs and when its photos come [RUN071]', async ({ page, event }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openEvent(page, event);
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getTiming().duration) > 1)
          .map((animation) => (animation as CSSAnimation).animationName),
      );
    expect(await moving()).toEqual([]);
    const held = await holdBack(page, '**/api/face/search/**');
    await chooseSelfie(page);
    await expect(page.getByText('Searching for your photos...')).toBeVisible();
    expect(await moving()).toEqual([]);
    await held.drop();
    await page.getByRole('button', { name: 'Search Again' }).click();
    await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
    expect(await moving()).toEqual([]);
  });
});

test.describe('as files', () => {
  test('a desk gets them one by one, best first [FACE017] [DOWN008] [DOWN017]', async ({ page, event }) => {
    await openEvent(page, event);
    const answer = page.waitForResponse((response) => response.url().includes('/api/face/search/'));
    await chooseSelfie(page);
    await expect(page.getByText(FOUND)).toBeVisible({ timeout: 60_000 });
    const { matches } = (await (await answer).json()) as { matches: { filename: string }[] };
    const downloads: Download[] = [];
    page.on('download', (download) => downloads.push(download));
    await page.getByRole('button', { name: 'Download All Photos (2)' }).click();
    await expect(page.getByText('All 2 photos downloaded successfully.')).toBeVisible();
    // The browser tells of a download on its own way.
    const names = () => downloads.map((download) => download.suggestedFilename());
    await expect.poll(names).toEqual(['photo-1.jpg', 'photo-2.jpg']);
    for (const [place, download] of downloads.entries()) {
      const bytes = readFileSync(await download.path());
      const name = matches[place]?.filename ?? '';
      expect(isGuestCopy(bytes, readFileSync(picture(name))), `photo-${place + 1}.jpg is ${name}`).toBe(true);
    }
  });
});

/** Keeps requests waiting until they are dropped, as a network that went away does. */
async function holdBack(page: Page, pattern: string) {
  const waiting: Route[] = [];
  await page.route(pattern, (route) => void waiting.push(route));
  return {
    drop: async () => {
      await Promise.all(waiting.map((route) => route.abort('internetdisconnected')));
      await page.unroute(pattern);
    },
  };
}
