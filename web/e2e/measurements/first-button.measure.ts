import { chromium as playwright, type Browser } from '@playwright/test';
import { launch } from '../chromium';
import { test } from '../engines/fixtures';
import { emulateSlowDevice } from '../network';

const RUNS = 7;
/** The network of a crowded venue: 400 kbit/s and a round trip of 400 ms. */
const CROWDED = { offline: false, downloadThroughput: 50_000, uploadThroughput: 25_000, latency: 400 };

/** Milliseconds from the navigation. */
interface FirstButton {
  readonly painted: number;
  /** It is in sight, and a tap there would reach it. */
  readonly there: number;
  /** A tap on it has changed the page. */
  readonly reacts: number;
}

test('the first button of the event page in Chromium, 400 kbit/s', async ({ server, event }) => {
  const browser = await playwright.launch(launch());
  for (const cpu of [1, 4]) {
    for (const language of ['en-IN', 'ta-IN']) {
      const runs: FirstButton[] = [];
      for (let run = 0; run < RUNS; run += 1)
        runs.push(await open(browser, `${server.url}/event/${event.slug}`, language, cpu));
      report(`400 kbit/s, 400 ms, CPU slowed ${cpu} times, ${language}, median of ${RUNS} (all), ms:`, runs);
    }
  }
  await browser.close();
});

async function open(browser: Browser, url: string, locale: string, cpu: number): Promise<FirstButton> {
  // A new context has an empty cache.
  const context = await browser.newContext({
    locale,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await emulateSlowDevice(page, cpu, CROWDED);
  await page.addInitScript(pressFirstButton);
  await page.goto(url, { waitUntil: 'commit' });
  const seen = await page.waitForFunction(() => (window as unknown as Watched).firstButton, null, {
    timeout: 60_000,
  });
  const { there, reacts } = await seen.jsonValue();
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const painted = (await paint.jsonValue()) ?? Number.NaN;
  await context.close();
  return { painted, there, reacts };
}

interface Watched {
  firstButton: { there: number; reacts: number };
}

/** Runs in the page: presses its large button as soon as that can be reached. */
function pressFirstButton(): void {
  const watch = () => {
    const button = [...document.querySelectorAll('main button')].find(
      (each) => each.getBoundingClientRect().width > 200,
    );
    const box = button?.getBoundingClientRect();
    const reached =
      box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest('button');
    if (button === undefined || reached !== button) {
      requestAnimationFrame(watch);
      return;
    }
    const there = performance.now();
    new MutationObserver((_, observer) => {
      observer.disconnect();
      Object.assign(window, { firstButton: { there, reacts: performance.now() } });
    }).observe(button, { attributes: true, attributeFilter: ['disabled'] });
    (button as HTMLButtonElement).click();
  };
  requestAnimationFrame(watch);
}

function report(title: string, runs: readonly FirstButton[]): void {
  console.log(title);
  for (const key of ['painted', 'there', 'reacts'] as const) {
    const values = runs.map((run) => run[key]).sort((one, other) => one - other);
    const all = values.map((value) => value.toFixed(0)).join(', ');
    console.log(`  ${key}: ${(values[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0)} (${all})`);
  }
}
