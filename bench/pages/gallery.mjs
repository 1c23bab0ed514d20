#!/usr/bin/env node
/**
 * Drives the gallery of one large event in Chromium, and prints the median of the runs (bench/gallery.py starts it).
 *
 *     gallery.mjs URL TOKEN EVENT PHOTOS RUNS
 */
import { chromium } from "../../web/node_modules/playwright/index.mjs";

const [url, token, event, photos, runs] = process.argv.slice(2);
const SCROLLED_MS = 5_000;
/** Pixels a frame: 60 frames a second pass 3,600 of them, four screens. */
const STEP = 60;

/** Scrolls for some seconds, and tells how long frames took and how many tiles had no picture when they were seen. */
async function scroll(milliseconds, step) {
  const frames = [];
  const started = performance.now();
  let last = started;
  while (last - started < milliseconds) {
    scrollBy(0, step);
    const now = await new Promise((done) => requestAnimationFrame(done));
    frames.push(now - last);
    last = now;
  }
  frames.sort((one, other) => one - other);
  const of = (part) => frames[Math.floor(frames.length * part)];
  return {
    count: frames.length,
    median: of(0.5),
    slow: of(0.95),
    late: frames.filter((each) => each > 25).length,
  };
}

async function measure(browser) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
  });
  await context.addInitScript((value) => {
    localStorage.setItem("token", value);
    localStorage.setItem(
      "user",
      JSON.stringify({
        name: "Bench",
        is_photographer: true,
        email_verified: true,
      }),
    );
  }, token);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1_048_576;
  };
  const started = Date.now();
  await page.goto(`${url}/admin/gallery?event=${event}`);
  await page.waitForFunction(() => {
    const seen = [...document.querySelectorAll("[data-photo] img")].filter(
      (image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      },
    );
    return (
      seen.length > 0 &&
      seen.every((image) => image.complete && image.naturalWidth > 0)
    );
  });
  const first = Date.now() - started;
  const before = await heap();
  const { count, median, slow, late } = await page.evaluate(
    `(${String(scroll)})(${String(SCROLLED_MS)}, ${String(STEP)})`,
  );
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator("[data-photo]").first().waitFor();
  const selected = Date.now();
  await page.keyboard.press("Control+a");
  await page
    .getByText(`${Number(photos).toLocaleString("en")} photos selected`)
    .first()
    .waitFor({ timeout: 60_000 });
  const all = Date.now() - selected;
  const after = await heap();
  const nodes = await page.evaluate(
    () => document.querySelectorAll("*").length,
  );
  await context.close();
  return {
    "first thumbnails, ms": first,
    "frame while scrolling, ms": median,
    "95 of 100 frames, ms": slow,
    "frames above 25 ms, %": (100 * late) / count,
    "select all, ms": all,
    "heap before, MB": before,
    "heap with all selected, MB": after,
    elements: nodes,
  };
}

const median = (values) =>
  values.sort((one, other) => one - other)[Math.floor(values.length / 2)];
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const all = [];
  for (let run = 0; run < Number(runs); run += 1)
    all.push(await measure(browser));
  for (const name of Object.keys(all[0]))
    console.log(
      `${name}: ${median(all.map((run) => run[name])).toFixed(1)} (${all.map((run) => run[name].toFixed(1)).join(", ")})`,
    );
} finally {
  await browser.close();
}
