import { readFileSync } from 'node:fs';
import { chromium, type ElementHandle, type Page } from '@playwright/test';
import { launch, WHOLE_BROWSER } from '../chromium';
import { type Engine, type EnginePage, type SavedFile, type Wanted } from './engine';
import { locate, queries } from './queries';

/** Debian's Chromium, by the protocol of its own that Playwright speaks. */
export async function startChromium(): Promise<Engine> {
  const { args = [], ...options } = launch();
  const withoutCamera = '--use-fake-device-for-media-stream=device-count=0';
  const browser = await chromium.launch({
    ...options,
    executablePath: WHOLE_BROWSER,
    args: [...args, withoutCamera],
  });
  let current: Page | null = null;
  const page = (): Page => {
    if (current === null) throw new Error('no page is open');
    return current;
  };
  const element = async (wanted: Wanted): Promise<ElementHandle> => {
    const found = (await page().evaluateHandle(locate, wanted)).asElement();
    if (found === null) throw new Error(`the page does not have ${JSON.stringify(wanted)}`);
    return found;
  };
  const chromiumPage: EnginePage = {
    async open(url) {
      await current?.context().close();
      // The permission is there; what is missing is the camera.
      const context = await browser.newContext({ permissions: ['camera'] });
      await context.addInitScript(queries);
      current = await context.newPage();
      await current.goto(url);
    },
    run: (script, argument) => page().evaluate(script as never, argument) as never,
    has: async (wanted) => (await page().evaluateHandle(locate, wanted)).asElement() !== null,
    click: async (wanted) => (await element(wanted)).click(),
    press: (key) => page().keyboard.press(key),
    choose: async (wanted, path) => (await element(wanted)).setInputFiles(path),
    async save(wanted): Promise<SavedFile> {
      const waiting = page().waitForEvent('download', { timeout: 20_000 });
      await chromiumPage.click(wanted);
      const download = await waiting;
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    },
    screenshot: () => page().screenshot(),
  };
  return { page: chromiumPage, close: () => browser.close() };
}
