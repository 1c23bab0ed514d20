import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { languages } from '../../src/platform/i18n/languages';
import { createEvent, signUp } from '../accounts';
import { test } from '../fixtures';
import { findPhotos } from '../guests';
import { renderIllustrations } from './illustrations';
import { FOLDER } from './save';

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });

const save = async (page: Page, name: string) => {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(FOLDER, 'languages', `${name}.png`), fullPage: true });
};

test('the event page in each language', async ({ page, server, browser, request }) => {
  test.setTimeout(300_000);
  const photographer = await signUp(server, request, 'languages@example.com');
  const illustrations = await renderIllustrations(browser);
  const pictures = ['obama2.jpg', 'obama3.jpg', ...illustrations.slice(0, 2)];
  const event = await createEvent(server, request, photographer, 'Aanya & Rohan', pictures);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await findPhotos(page, event);
  for (const { tag } of languages) {
    await page.getByRole('combobox').selectOption(tag);
    await page.locator('[data-photo] img[data-loaded=true]').nth(1).waitFor();
    await save(page, `${tag}-results`);
    await page.locator('[data-photo] button').first().click();
    await page.locator('.yarl__slide_current img').waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(FOLDER, 'languages', `${tag}-viewer.png`) });
    await page.goBack();
    await page.goBack();
    await page.locator('#find-your-photos').waitFor();
    await save(page, `${tag}-start`);
    await page.goForward();
    await page.locator('[data-photo]').nth(1).waitFor();
  }
});
