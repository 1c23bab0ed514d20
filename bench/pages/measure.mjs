#!/usr/bin/env node
/**
 * Scores pages with Lighthouse on the demo's events: all as a phone on simulated slow 4G sees them, the studio's also as a
 * computer does.
 *
 *     measure.mjs [--binary PATH] [--runs 3] [--pictures .cache/demo-pictures] [--throttling simulate] [--slowdown 4]
 *                 [--guests]
 *
 * Starts the demo, logs its photographer in, and prints for each page the median of the runs: the score, the paints, the
 * time that is blocked, the shift, and what was loaded. Needs Debian's Chromium; the figures are those of a machine with
 * nothing else to do.
 *
 * A phone is taken to be a quarter as fast as this machine, which is right where Lighthouse's benchmark index, printed with
 * each page, is 1,500 to 2,000; elsewhere --slowdown makes it the same phone
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#cpu-throttling).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromium } from '../../web/node_modules/playwright/index.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    binary: { type: 'string', default: 'target/dist/afterglow' },
    runs: { type: 'string', default: '3' },
    // Or devtools: the line is slow, instead of the times being computed for a slow one.
    throttling: { type: 'string', default: 'simulate' },
    pictures: { type: 'string', default: '.cache/demo-pictures' },
    slowdown: { type: 'string', default: '4' },
    // Only an event's page.
    guests: { type: 'boolean', default: false },
  },
});
const DEBUGGING_PORT = 9333;
const LISTEN = '127.0.0.1:8098';

/** The demo once it says that it can be tried, with what it has printed. */
function startDemo() {
  const demo = spawn(resolve(root, options.binary), ['demo', options.pictures, '--listen', LISTEN], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done, fail) => {
    let printed = '';
    demo.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Ctrl-C')) done({ demo, printed });
    });
    demo.on('error', fail);
    demo.on('exit', () => fail(new Error(`the demo ended: ${printed}`)));
  });
}

async function logIn(page, url, printed) {
  const [, email, password] = /(\S+@\S+), password (\S+)/.exec(printed);
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(/\/admin/);
}

const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];

async function measure(url, preset) {
  const runs = [];
  for (let run = 0; run < Number(options.runs); run += 1) {
    const flags = {
      port: DEBUGGING_PORT,
      onlyCategories: ['performance'],
      throttlingMethod: options.throttling,
      // A computer is as fast as this machine.
      ...(preset === undefined && { throttling: { cpuSlowdownMultiplier: Number(options.slowdown) } }),
      // The caches are empty each time; the session, which is in the browser's storage, stays.
      clearStorageTypes: ['shader_cache', 'service_workers', 'cache_storage'],
      logLevel: 'error',
    };
    const { lhr } = await lighthouse(url, flags, preset);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    runs.push(lhr);
  }
  const of = (audit) => median(runs.map(({ audits }) => audits[audit].numericValue));
  return {
    score: Math.round(median(runs.map(({ categories }) => categories.performance.score * 100))),
    'first paint, s': (of('first-contentful-paint') / 1000).toFixed(2),
    'largest paint, s': (of('largest-contentful-paint') / 1000).toFixed(2),
    'blocked, ms': Math.round(of('total-blocking-time')),
    shift: of('cumulative-layout-shift').toFixed(3),
    'KiB loaded': Math.round(of('total-byte-weight') / 1024),
    'benchmark index': Math.round(median(runs.map(({ environment }) => environment.benchmarkIndex))),
    requests: median(runs.map(({ audits }) => audits['network-requests'].details.items.length)),
  };
}

async function inBrowser(use) {
  const profile = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${DEBUGGING_PORT}`],
  });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const { demo, printed } = await startDemo();
try {
  const url = `http://${LISTEN}`;
  const [, event] = /The guests' page\s+(\S+)/.exec(printed);
  const scores = {};
  await inBrowser(async () => {
    const publicPages = options.guests ? [] : ['/', '/pricing', '/login', '/register'];
    for (const path of publicPages) scores[path] = await measure(url + path);
    scores['/event/…'] = await measure(event);
  });
  const studio = async (page) => {
    await logIn(page, url, printed);
    const { id } = await (await fetch(`${url}/api/events/${event.split('/').at(-1)}`)).json();
    for (const path of ['/admin/overview', '/admin/events', `/admin/gallery?event=${id}`]) {
      const [name] = path.split('?');
      scores[name] = await measure(url + path);
      scores[`${name}, desktop`] = await measure(url + path, desktopConfig);
    }
  };
  if (!options.guests) await inBrowser(studio);
  console.table(scores);
} finally {
  demo.removeAllListeners('exit');
  demo.kill('SIGINT');
}
