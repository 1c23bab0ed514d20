import { readFileSync } from 'node:fs';
import { chromium as playwright, type Browser } from '@playwright/test';
import { createEvent, signUp } from '../accounts';
import { launch } from '../chromium';
import { test } from '../fixtures';
import { emulateSlowDevice } from '../network';
import { picture } from '../pictures';

const RUNS = 5;
/** The network of a crowded venue: 400 kbit/s and a round trip of 400 ms. */
const CROWDED = { offline: false, downloadThroughput: 50_000, uploadThroughput: 25_000, latency: 400 };
const PHOTOS = 13;

/** Milliseconds from the text of the results, in the first frame that has it. */
interface Photos {
  readonly first: number;
  /** The first three, which are in sight on a phone. */
  readonly three: number;
}

test('the first photos of the results in Chromium, 400 kbit/s, HTTP/1.1', async ({ server, request }) => {
  test.setTimeout(590_000);
  const photographer = await signUp(server, request, 'photos@example.com');
  const files = Array.from({ length: PHOTOS }, (_, at) => {
    const bytes = readFileSync(picture(['obama.jpg', 'obama2.jpg', 'obama3.jpg'][at % 3] ?? ''));
    // Other bytes behind the end of the picture make another photo of it.
    return { name: `${at}.jpg`, bytes: Buffer.concat([bytes, Buffer.from([at])]) };
  });
  const event = await createEvent(server, request, photographer, 'Asha & Ravi', files);
  const browser = await playwright.launch(launch());
  for (const cpu of [1, 4]) {
    const runs: Photos[] = [];
    for (let run = 0; run < RUNS; run += 1)
      runs.push(await search(browser, `${server.url}/event/${event.slug}`, cpu));
    console.log(`400 kbit/s, 400 ms, CPU slowed ${cpu} times, median of ${RUNS} (all), ms after the text:`);
    for (const key of ['first', 'three'] as const) {
      const values = runs.map((run) => run[key]).sort((one, other) => one - other);
      const all = values.map((value) => value.toFixed(0)).join(', ');
      console.log(`  ${key}: ${(values[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0)} (${all})`);
    }
  }
  await browser.close();
});

async function search(browser: Browser, url: string, cpu: number): Promise<Photos> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.addInitScript(watchPhotos);
  await emulateSlowDevice(page, cpu, CROWDED);
  await page.goto(url);
  await page.getByLabel('upload a photo').waitFor({ state: 'attached', timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  // A first tap loads the views of the results.
  await page.getByRole('heading', { name: 'Find Your Photos' }).click();
  await page.waitForLoadState('networkidle');
  await page.getByLabel('upload a photo').setInputFiles(picture('obama.jpg'));
  const seen = await page.waitForFunction(
    () => {
      const { text, first, three } = (window as unknown as { photos: Record<string, number> }).photos;
      return text && first && three && { first: first - text, three: three - text };
    },
    null,
    { timeout: 120_000 },
  );
  const photos = (await seen.jsonValue()) as Photos;
  await context.close();
  return photos;
}

/** Runs in the page: notes when the text of the results is there, and when their first photos are. */
function watchPhotos(): void {
  const photos: Record<string, number> = {};
  Object.assign(window, { photos });
  const note = (name: string, is: boolean) => {
    if (is) photos[name] ??= performance.now();
  };
  const watch = () => {
    const images = [...document.querySelectorAll<HTMLImageElement>('li[data-photo] img')];
    const loaded = images.map(({ dataset }) => dataset['loaded'] === 'true');
    note('text', [...document.querySelectorAll('main [role=status]')].some(({ textContent }) => /^\d+ from/.test(textContent)));
    note('first', loaded[0] === true);
    note('three', loaded.slice(0, 3).filter(Boolean).length === 3);
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}
