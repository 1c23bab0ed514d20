#!/usr/bin/env node
/**
 * Drops many photos on the upload page in Chromium, twice, and prints what that costs the page (bench/gallery.py starts it).
 *
 *     drop.mjs URL TOKEN EVENT PHOTOS
 *
 * The files are one small picture with a comment of its own each. The second drop is of the same files, which are there already.
 */
import { chromium } from "../../web/node_modules/playwright/index.mjs";

const [url, token, event, photos] = process.argv.slice(2);
const LONGEST_MS = 1_800_000;

/** Gives the page files that differ in one comment, as a choice of files does, and watches its longest tasks. */
async function choose(count) {
  const canvas = new OffscreenCanvas(320, 240);
  canvas.getContext("2d").fillRect(40, 40, 240, 160);
  const picture = await canvas.convertToBlob({ type: "image/jpeg" });
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const transfer = new DataTransfer();
  for (let number = 0; number < count; number += 1) {
    const comment = new TextEncoder().encode(`photo ${String(number).padStart(8, "0")}`);
    const segment = Uint8Array.of(0xff, 0xfe, 0, comment.length + 2, ...comment);
    const name = `IMG_${String(number).padStart(5, "0")}.jpg`;
    const options = { type: "image/jpeg", lastModified: 1_767_225_600_000 + 1000 * number };
    transfer.items.add(new File([bytes.slice(0, 2), segment, bytes.slice(2)], name, options));
  }
  globalThis.observer ??= new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      globalThis.longest = Math.max(globalThis.longest, duration);
      globalThis.blocked += duration - 50;
    }
  });
  globalThis.observer.observe({ type: "longtask" });
  const input = document.querySelector('input[type="file"]:not([webkitdirectory])');
  input.files = transfer.files;
}

/** What a browser does once files are chosen. */
function drop() {
  globalThis.longest = 0;
  globalThis.blocked = 0;
  const input = document.querySelector('input[type="file"]:not([webkitdirectory])');
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((value) => {
    localStorage.setItem("token", value);
    const user = { name: "Bench", is_photographer: true, email_verified: true };
    localStorage.setItem("user", JSON.stringify(user));
  }, token);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1_048_576;
  };
  await page.goto(`${url}/admin/upload?event=${event}`);
  await page.getByRole("button", { name: "Choose files" }).waitFor();
  const all = Number(photos).toLocaleString("en");
  for (const files of ["new", "known"]) {
    await page.evaluate(choose, Number(photos));
    await page.waitForTimeout(1000);
    const before = await busy();
    const began = Date.now();
    await page.evaluate(drop);
    await page.getByRole("button", { name: `Show all ${all}` }).waitFor({ timeout: LONGEST_MS });
    const listed = Date.now() - began;
    const done = files === "new" ? `${all} uploaded` : `${all} already there`;
    await page.getByText(done).first().waitFor({ timeout: LONGEST_MS });
    const seconds = (Date.now() - began) / 1000;
    const task = (await busy()) - before;
    const { longest, blocked } = await page.evaluate(() => ({ longest, blocked }));
    console.log(`${files}: listed after ${listed} ms, done after ${seconds.toFixed(1)} s (${(photos / seconds).toFixed(1)} a second)`);
    console.log(`  main thread busy ${task.toFixed(1)} s (${((100 * task) / seconds).toFixed(0)} %), longest task ${longest.toFixed(0)} ms, blocked ${(blocked / 1000).toFixed(1)} s, heap ${(await heap()).toFixed(1)} MB`);
  }
  await context.close();
} finally {
  await browser.close();
}
