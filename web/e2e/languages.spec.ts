import { type Page } from '@playwright/test';
import { languages } from '../src/shared/i18n/languages';
import { createEvent, type Event, signUp } from './accounts';
import { examine } from './axe';
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

/** The texts that are not wholly in sight: beyond the sides of the window, or larger than the box that clips them. */
const cutOffTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const own = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
    const hidden = (element: Element) => getComputedStyle(element).clipPath.startsWith('inset');
    const cut = [...document.body.querySelectorAll('*')].filter((element) => {
      if (element.closest('[hidden], script, style, option') !== null || !own(element) || hidden(element)) return false;
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = range.getBoundingClientRect();
      if (text.width === 0 || text.height === 0 || text.bottom < 0) return false;
      if (text.left < -0.5 || text.right > document.documentElement.clientWidth + 0.5) return true;
      for (let box: Element | null = element; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        const { left, right } = box.getBoundingClientRect();
        if (style.overflowX !== 'visible' && (text.left < left - 1 || text.right > right + 1)) return true;
        if (box.matches('button, a') && box.scrollHeight > box.clientHeight + 1) return true;
      }
      return false;
    });
    return cut.map((element) => element.textContent ?? '');
  });

/** The description of the event is cut on purpose, with 'Read more'. */
async function nothingIsCutOff(page: Page, view: string): Promise<void> {
  await expect.poll(() => cutOffTexts(page), { message: view }).toEqual([]);
}

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'en-IN' });

test('the page is in each language, and nothing is cut off [LANG002] [LANG003] [LANG009]', async ({ page, event }) => {
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

test.describe('of the browser', () => {
  test.use({ locale: 'ta-IN' });

  test('is spoken from the start, by the server’s refusals too [LANG001] [LANG005]', async ({ page, event }) => {
    const catalogues: string[] = [];
    page.on('request', (request) => {
      if (/\/assets\/guest-[^/]+\.js$/.test(request.url())) catalogues.push(request.url());
    });
    await page.goto(`/event/${event.slug}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ta');
    await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toHaveCount(0);
    expect(catalogues, 'only the language that is shown [LANG007]').toHaveLength(1);
    const blank = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank });
    const alert = page.locator('main').getByText(/[\u0b80-\u0bff]/).first();
    await expect(alert).toBeVisible();
    await expect(page.getByText(/No face|too small|Please|photo/)).toHaveCount(0);
  });

  test('gives way to English when it cannot be loaded, and to another attempt without that [LANG008]', async ({
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
