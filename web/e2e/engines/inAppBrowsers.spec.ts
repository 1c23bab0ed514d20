import { type Page } from '@playwright/test';
import { type Event } from '../accounts';
import { findPhotos } from '../guests';
import { expect, test } from './fixtures';
import { IN_APP_AGENTS, type InAppAgent } from './inAppAgents';

// Without traces these share the journey's worker, and with it the server.
test.use({ trace: 'off', viewport: { width: 390, height: 660 }, isMobile: true, hasTouch: true });

/** One of each system, one of which is told by its user agent, the other by what it adds to the page; a unit test has all. */
const tried = IN_APP_AGENTS.filter(
  ({ app, system }) => (app === 'Instagram' && system === 'Android') || (app === 'Telegram' && system === 'iOS'),
);

for (const agent of tried) {
  test.describe(`inside ${agent.app} on ${agent.system}`, () => {
    test.use({ userAgent: agent.userAgent });

    test('a photo from the chooser finds the photos, and saving shows the way out', async ({ page, event }) => {
      await arrive(page, agent, event);
      for (const name of ['Photo 1 of 2', 'Photo 2 of 2']) {
        const photo = page.getByRole('img', { name });
        await expect
          .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth), { message: name })
          .toBeGreaterThan(0);
      }

      await page.getByRole('button', { name: 'Download photo 1', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Save in your own browser' });
      await expect(dialog.getByText(`The browser inside ${agent.app} cannot save photos.`)).toBeVisible();
      await expect(dialog.getByText('press and hold the photo')).toBeAttached();
      const exit = dialog.getByRole('link', { name: 'Open in my browser' });
      if (agent.exit === null) await expect(exit).toHaveCount(0);
      else expect((await exit.getAttribute('href'))?.startsWith(agent.exit)).toBe(true);
      await page.goBack();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    });
  });
}

/** Finds the photos in the app's browser: it has no way to share, and a camera that never answers. */
async function arrive(page: Page, { globals = [] }: InAppAgent, event: Event): Promise<void> {
  await page.addInitScript((names) => {
    for (const name of names) Object.assign(window, { [name]: {} });
    Object.defineProperty(navigator, 'canShare', { value: undefined });
    MediaDevices.prototype.getUserMedia = () => new Promise(() => undefined);
  }, globals);
  await findPhotos(page, event);
}
