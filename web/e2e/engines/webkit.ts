import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Builder, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { type Engine, type EnginePage, type Wanted } from './engine';
import { bringToPointer, installed, locate, queries } from './queries';
import { savedInto } from './savedFiles';

/** Where Debian keeps WebKitGTK's small browser: `/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1` or another machine's. */
const miniBrowsers = (): string[] =>
  readdirSync('/usr/lib').flatMap((machine) =>
    ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((version) => join('/usr/lib', machine, version, 'MiniBrowser')),
  );

const keys = { ArrowRight: Key.ARROW_RIGHT, Escape: Key.ESCAPE };

/**
 * Debian's WebKitGTK, by classic WebDriver, on a virtual display. It is Safari's engine and not Safari: it has no
 * `canShare`, and its window is never narrower than 447 px.
 */
export async function startWebKit(): Promise<Engine> {
  const driverPath = installed(['/usr/bin/WebKitWebDriver']);
  const binary = installed(miniBrowsers());
  // MiniBrowser saves into the home folder.
  const home = mkdtempSync(join(tmpdir(), 'afterglow-webkit-'));
  const display = await startDisplay();
  const port = await freePort();
  const driverProcess = spawn(driverPath, [`--port=${port}`], {
    env: {
      ...process.env,
      HOME: home,
      DISPLAY: display.name,
      // A camera of this machine stays out.
      GST_PLUGIN_FEATURE_RANK: 'v4l2deviceprovider:NONE,pipewiredeviceprovider:NONE',
    },
    // Both programs write of the desktop's services, which are not here.
    stdio: 'ignore',
  });
  let driver: WebDriver | null = null;
  const close = async () => {
    await driver?.quit();
    await ended(driverProcess);
    await ended(display.process);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    const listens = () => fetch(`${url}/status`).then(({ ok }) => ok, () => false);
    await expect.poll(listens, { intervals: [50], message: 'WebKitWebDriver listens' }).toBe(true);
    driver = await new Builder()
      .usingServer(url)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary, args: ['--automation', '--enable-media-stream=true'] },
      })
      .build();
    return { page: pageOf(driver, home), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function pageOf(driver: WebDriver, home: string): EnginePage {
  const ask = async <Answer>(script: string | typeof locate, wanted: Wanted): Promise<Answer> => {
    // There are no scripts that run before the page's own: each document gets the queries when it is first asked.
    const ready = await driver.executeScript<boolean>(() => 'TestingLibraryDom' in window);
    if (!ready) await driver.executeScript(queries);
    return driver.executeScript<Answer>(script, wanted);
  };
  const element = async (wanted: Wanted): Promise<WebElement> => {
    const found = await ask<WebElement | null>(locate, wanted);
    if (found === null) throw new Error(`the page does not have ${JSON.stringify(wanted)}`);
    return found;
  };
  const page: EnginePage = {
    async open(url) {
      // All visits have one tab, and with it one session storage, which the page writes until it is left.
      await driver.get(new URL('/api/ready', url).href);
      await driver.executeScript(() => sessionStorage.clear());
      await driver.get(url);
    },
    run: (script, argument) => driver.executeScript(script, argument),
    // Answered in the page: the driver refuses an element that has left the document since the script returned it.
    has: (wanted) => ask<boolean>(`return (${locate.toString()})(arguments[0]) !== null`, wanted),
    async click(wanted) {
      const target = await element(wanted);
      await driver.executeScript(bringToPointer, target);
      await target.click();
    },
    press: (key) => driver.actions().sendKeys(keys[key]).perform(),
    choose: async (wanted, path) => (await element(wanted)).sendKeys(path),
    save: (wanted) => savedInto(home, () => page.click(wanted)),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
  };
  return page;
}

interface Display {
  readonly name: string;
  readonly process: ChildProcess;
}

/** Xvfb with the first number that is free; `xvfb-run` would need xauth, and outlives a test that is killed. */
async function startDisplay(): Promise<Display> {
  const program = installed(['/usr/bin/Xvfb']);
  // Without -noreset it ends with the first browser.
  const options = ['-displayfd', '3', '-noreset', '-nolisten', 'tcp', '-screen', '0', '1280x1024x24'];
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise<string>((found, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`Xvfb ended with ${code}`)));
    child.stdio[3]?.once('data', (data) => found(String(data).trim()));
  });
  return { name: `:${number}`, process: child };
}

const freePort = (): Promise<number> =>
  new Promise((found, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => found(port));
    });
  });

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}
