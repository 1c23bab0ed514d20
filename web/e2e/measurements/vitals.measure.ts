import { chromium as playwright } from '@playwright/test';
import { type Event } from '../accounts';
import { launch } from '../chromium';
import { type EnginePage } from '../engines/engine';
import { startFirefox } from '../engines/firefox';
import { test } from '../engines/fixtures';
import { startWebKit } from '../engines/webkit';
import { emulateSlowDevice } from '../network';
import { type Server } from '../server';
import { SLOW_4G, slowLineTo } from './slowLine';

const RUNS = 5;
/** Longer than the page takes to come to rest on this line. */
const WATCHED = 12_000;

/** Milliseconds from the navigation, and the layout shift; null where the engine does not measure it. */
interface Vitals {
  readonly firstPaint: number | null;
  readonly largestPaint: number | null;
  readonly layoutShift: number | null;
}

test('largest paint and layout shift of the event page in Chromium, CPU slowed 4 times', async ({ server, event }) => {
  const browser = await playwright.launch(launch());
  await report('Chromium, CPU slowed 4 times', async () => {
    // A new context has an empty cache.
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const page = await context.newPage();
    await emulateSlowDevice(page, 4);
    await page.goto(addressOf(server, event));
    await page.waitForTimeout(WATCHED);
    const vitals = await page.evaluate(readVitals);
    await context.close();
    return vitals;
  });
  await browser.close();
});

for (const [name, start] of Object.entries({ Firefox: startFirefox, WebKit: startWebKit })) {
  test(`largest paint and layout shift of the event page in ${name}`, async ({ server, event }) => {
    const line = await slowLineTo(server.url, SLOW_4G);
    await report(`${name}, CPU as it is`, async () => {
      // WebKit has one cache for all pages of a browser.
      const engine = await start();
      const vitals = await watch(engine.page, addressOf({ url: line.url }, event));
      await engine.close();
      return vitals;
    });
    line.close();
  });
}

const addressOf = ({ url }: Pick<Server, 'url'>, { slug }: Event) => `${url}/event/${slug}`;

async function watch(page: EnginePage, url: string): Promise<Vitals> {
  await page.open(url);
  await new Promise((done) => setTimeout(done, WATCHED));
  return page.run(readVitals, null);
}

async function report(name: string, measure: () => Promise<Vitals>): Promise<void> {
  const runs: Vitals[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure());
  const median = (key: keyof Vitals, digits: number) => {
    const values = runs.map((vitals) => vitals[key]).filter((value) => value !== null);
    if (values.length === 0) return 'not measured by this engine';
    values.sort((one, other) => one - other);
    const all = values.map((value) => value.toFixed(digits)).join(', ');
    return `${(values[Math.floor(values.length / 2)] ?? 0).toFixed(digits)} (${all})`;
  };
  console.log(`${name}, 1.6 Mbit/s, 150 ms, median of ${RUNS} (all):`);
  console.log(`  first contentful paint, ms: ${median('firstPaint', 0)}`);
  console.log(`  largest contentful paint, ms: ${median('largestPaint', 0)}`);
  console.log(`  cumulative layout shift: ${median('layoutShift', 3)}`);
}

/** Runs in the page, at its end: the entries are kept for those who ask later. */
async function readVitals(): Promise<Vitals> {
  const entries = (type: string): Promise<PerformanceEntry[] | null> => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return Promise.resolve(null);
    return new Promise((found) => {
      const none = setTimeout(() => found([]), 1000);
      new PerformanceObserver((list) => {
        clearTimeout(none);
        found(list.getEntries());
      }).observe({ type, buffered: true });
    });
  };
  const paints = await entries('paint');
  const largest = await entries('largest-contentful-paint');
  const shifts = await entries('layout-shift');
  return {
    firstPaint: paints?.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? null,
    largestPaint: largest?.at(-1)?.startTime ?? null,
    layoutShift: shifts?.reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0) ?? null,
  };
}
