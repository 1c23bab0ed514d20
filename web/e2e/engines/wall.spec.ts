import { createEvent, signUp } from '../accounts';
import { shownOnWall, wallHasEnded, WallOwner } from '../walls';
import { startChromium } from './chromium';
import { type Engine } from './engine';
import { startFirefox } from './firefox';
import { expect, test } from './fixtures';
import { startWebKit } from './webkit';

test.use({ trace: 'off' });

const ENGINES = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };

for (const [name, start] of Object.entries(ENGINES))
  test(`a wall in ${name} shows what arrives, drops what is gone, and ends [GAL474] [GAL475] [GAL477]`, async ({
    server,
    playwright,
  }) => {
    const request = await playwright.request.newContext();
    const photographer = await signUp(server, request, `wall-${name.toLowerCase()}@example.com`);
    const event = await createEvent(server, request, photographer, 'Sangeet', []);
    const owner = new WallOwner(server, request, photographer, event);
    let engine: Engine | undefined;
    try {
      engine = await start();
      const { page } = engine;
      await page.open(await owner.make());
      expect(await page.run(() => document.querySelector('.hint')?.getBoundingClientRect().height, null)).toBeGreaterThan(0);
      const first = await owner.upload();
      const seen = async (photo: string) =>
        expect.poll(() => page.run(shownOnWall, null), { timeout: 60_000, message: photo }).toBe(photo);
      await seen(first);
      const second = await owner.upload();
      await seen(second);
      await owner.remove(second);
      await seen(first);
      await owner.end();
      await expect.poll(() => page.run(wallHasEnded, null)).toBe(true);
    } finally {
      await engine?.close();
      await request.dispose();
    }
  });
