import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type BrowserContext, type ElementHandle, type Page } from 'puppeteer-core';
import { type Engine, type EnginePage, type Wanted } from './engine';
import { bringToPointer, installed, locate, queries } from './queries';
import { savedInto } from './savedFiles';

/** Debian's Firefox, over WebDriver BiDi, which it speaks without a driver and without a display. */
export async function startFirefox(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox',
    // Where a system has no ESR, its Firefox is taken.
    executablePath: installed(['/usr/bin/firefox-esr', '/usr/bin/firefox']),
    headless: true,
    defaultViewport: { width: 1024, height: 800 },
    extraPrefsFirefox: {
      // The permission is there; only a camera of this name would be, and there is none.
      'media.navigator.permission.disabled': true,
      'media.video_loopback_dev': 'none',
      'browser.download.folderList': 2,
      'browser.download.dir': folder,
      'browser.helperApps.neverAsk.saveToDisk': 'image/jpeg,application/zip',
    },
  });
  let context: BrowserContext | null = null;
  let current: Page | null = null;
  const page = (): Page => {
    if (current === null) throw new Error('no page is open');
    return current;
  };
  const find = async (wanted: Wanted) => (await page().evaluateHandle(locate, wanted)).asElement();
  const element = async (wanted: Wanted) => {
    const found = await find(wanted);
    if (found === null) throw new Error(`the page does not have ${JSON.stringify(wanted)}`);
    return found as ElementHandle;
  };
  const firefoxPage: EnginePage = {
    async open(url) {
      await context?.close();
      context = await browser.createBrowserContext();
      current = await context.newPage();
      await current.evaluateOnNewDocument(queries);
      await current.goto(url);
    },
    run: (script, argument) => page().evaluate(script as never, argument as never),
    has: async (wanted) => (await find(wanted)) !== null,
    async click(wanted) {
      const target = await element(wanted);
      await target.evaluate(bringToPointer);
      await target.click();
    },
    press: (key) => page().keyboard.press(key),
    choose: async (wanted, path) => ((await element(wanted)) as ElementHandle<HTMLInputElement>).uploadFile(path),
    save: (wanted) => savedInto(folder, () => firefoxPage.click(wanted)),
    screenshot: async () => Buffer.from(await page().screenshot()),
  };
  return {
    page: firefoxPage,
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
