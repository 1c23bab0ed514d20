import { join, resolve } from 'node:path';
import { type Page } from '@playwright/test';

export const FOLDER = resolve(import.meta.dirname, '../../../.cache/screenshots');

const DEVICES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};
/** The narrowest phone and the widest screen that the design is made for. */
const EXTREMES = {
  wide: { width: 1920, height: 1080 },
  narrow: { width: 360, height: 740 },
};
const SCHEMES = ['light', 'dark'] as const;

/** What a picture shows: all of a page that scrolls, or what is in the window (a dialog, a menu). */
export type Extent = 'page' | 'window';

/** The same on the narrowest phone and the widest screen. */
export const saveAtExtremes = (page: Page, name: string, extent: Extent = 'page'): Promise<void> =>
  saveScreenshot(page, name, extent, EXTREMES);

/** Saves the screen as it is now as DEVICE-SCHEME/NAME.png, on both devices and in both schemes. */
export async function saveScreenshot(
  page: Page,
  name: string,
  extent: Extent = 'page',
  devices: Record<string, { width: number; height: number }> = DEVICES,
): Promise<void> {
  for (const [device, viewport] of Object.entries(devices)) {
    await page.setViewportSize(viewport);
    // What hangs on a button follows a new size a sixth of a second later.
    await page.waitForTimeout(250);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => document.fonts.ready);
      // A bar that sticks to the window would stand in the middle of a page that is scrolled.
      if (extent === 'page') await page.evaluate(() => window.scrollTo(0, 0));
      // Two frames: the new size has been laid out and painted.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
      );
      await page.screenshot({
        path: join(FOLDER, `${device}-${colorScheme}`, `${name}.png`),
        fullPage: extent === 'page',
      });
    }
  }
}
