import { findPhotos } from '../guests';
import { expect, test } from './fixtures';
import { IN_APP_AGENTS } from './inAppAgents';

// Without traces these share the journey's worker, and with it the server.
test.use({ trace: 'off', viewport: { width: 390, height: 660 }, isMobile: true, hasTouch: true });

for (const { app, system, userAgent, globals = [] } of IN_APP_AGENTS) {
  test.describe(`inside ${app} on ${system}`, () => {
    test.use({ userAgent });

    test('the page opens, and a photo from the chooser finds the photos', async ({ page, event }) => {
      // These have no way to share, and some expose a camera that never answers.
      await page.addInitScript((names) => {
        for (const name of names) Object.assign(window, { [name]: {} });
        Object.defineProperty(navigator, 'canShare', { value: undefined });
        navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined);
      }, globals);
      await findPhotos(page, event);
      expect(await page.evaluate(() => navigator.userAgent)).toBe(userAgent);
      for (const name of ['Photo 1 of 2', 'Photo 2 of 2']) {
        const photo = page.getByRole('img', { name });
        await expect
          .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth), { message: name })
          .toBeGreaterThan(0);
      }
    });
  });
}
