#!/usr/bin/env node
/**
 * Lets a live wall run for a long time in Chromium, and prints what it takes of memory over the time.
 *
 *     wall.mjs [--binary PATH] [--minutes 30] [--speed 20] [--photos 100] [--arrivals 60] [--pictures .cache/demo-pictures]
 *
 * Starts the demo, uploads to its largest event until it has so many photos, more than a wall keeps, makes its wall, and opens it
 * at 1920 x 1080 with its time passing 20 times as fast, so that half an hour is ten. A photo is uploaded every so many seconds,
 * and the oldest of those that came is deleted. Prints once a minute the heap of scripts after a collection, the elements and
 * listeners, and the resident memory of the page's process and of all of Chromium's; at the end the difference between the second
 * quarter and the last. Needs Debian's Chromium and Linux.
 *
 * It speaks to Chromium itself and does not watch the network, as Playwright does: while somebody watches, the page's process grows
 * by each picture that is loaded, and otherwise it does not.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import WebSocket from '../../web/node_modules/ws/wrapper.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    binary: { type: 'string', default: 'target/dist/afterglow' },
    minutes: { type: 'string', default: '30' },
    speed: { type: 'string', default: '20' },
    // With what arrives no more than the 100 credits of the demo's photographer.
    photos: { type: 'string', default: '100' },
    // Seconds from one upload to the next.
    arrivals: { type: 'string', default: '60' },
    pictures: { type: 'string', default: '.cache/demo-pictures' },
    listen: { type: 'string', default: '127.0.0.1:8097' },
  },
});
const MIB = 1_048_576;

/** The demo once it says that it can be tried, with what it has printed. */
function startDemo() {
  const demo = spawn(resolve(root, options.binary), ['demo', options.pictures, '--listen', options.listen], {
    cwd: root,
    env: { ...process.env, AFTERGLOW_RATE_LIMITS: 'off' },
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

/** Chromium, with what sends commands to it and to a page of it (Chrome DevTools Protocol). */
async function startChromium() {
  const profile = mkdtempSync(join(tmpdir(), 'bench-wall-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--window-size=1920,1080'];
  const child = spawn('/usr/bin/chromium', [...flags, `--user-data-dir=${profile}`, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await new Promise((done, fail) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [, found] = /listening on (ws:\/\/\S+)/.exec(said) ?? [];
      if (found !== undefined) done(found);
    });
    child.on('exit', () => fail(new Error(`Chromium ended: ${said}`)));
  });
  const socket = new WebSocket(address);
  await new Promise((done, fail) => socket.on('open', done).on('error', fail));
  const waiting = new Map();
  socket.on('message', (text) => {
    const { id, result, error } = JSON.parse(text);
    const { done, fail } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error !== undefined) fail?.(new Error(error.message));
    else done?.(result);
  });
  let last = 0;
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((done, fail) => {
      last += 1;
      waiting.set(last, { done, fail });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
  const attach = async ({ targetId }) => {
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    return (method, params) => send(method, params, sessionId);
  };
  const close = async () => {
    const ended = new Promise((done) => child.removeAllListeners('exit').once('exit', done));
    child.kill('SIGTERM');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { send, attach, close };
}

/** Calls the demo as its photographer. */
function client(url, token) {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
    if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
    const answer = await fetch(url + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

/** A JPEG that nobody has uploaded: with a comment behind its first marker. */
function another(jpeg, number) {
  const comment = Buffer.from(`wall ${number} ${Date.now()}`);
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}

function residentMemory(pid) {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return (Number(kilobytes) * 1024) / MIB;
  } catch {
    // It ended between the list and the look.
    return 0;
  }
}

async function measure(url, call, event) {
  const jpegs = readdirSync(resolve(root, options.pictures), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jpg') && !name.includes('selfies'))
    .map((name) => join(resolve(root, options.pictures), name));
  let uploads = 0;
  const upload = async () => {
    uploads += 1;
    const photos = new FormData();
    const jpeg = another(readFileSync(jpegs[uploads % jpegs.length]), uploads);
    photos.append('event_id', event.id);
    photos.append('photos', new Blob([jpeg], { type: 'image/jpeg' }), `arrival-${uploads}.jpg`);
    return (await call('POST', '/api/photos/upload', photos)).id;
  };
  for (let there = event.indexing.total; there < Number(options.photos); there += 1) await upload();
  const { wall } = await call('PUT', `/api/events/${event.id}/wall`, {});
  const browser = await startChromium();
  const page = await browser.attach(await browser.send('Target.createTarget', { url: 'about:blank' }));
  await page('Page.enable');
  await page('Page.addScriptToEvaluateOnNewDocument', { source: `window.afterglowWallSpeed = ${options.speed}` });
  await page('Performance.enable');
  await page('Page.navigate', { url: wall.url });

  const rows = [];
  const look = async (started) => {
    await page('HeapProfiler.collectGarbage');
    const { metrics } = await page('Performance.getMetrics');
    const of = (name) => metrics.find((each) => each.name === name).value;
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentMemory(id));
    const all = processInfo.map(({ id }) => residentMemory(id));
    const row = {
      minutes: (Date.now() - started) / 60_000,
      heap: of('JSHeapUsedSize') / MIB,
      elements: of('Nodes'),
      listeners: of('JSEventListeners'),
      page: Math.max(...pages),
      chromium: all.reduce((one, other) => one + other, 0),
    };
    rows.push(row);
    console.log(
      `${row.minutes.toFixed(1)} min: heap ${row.heap.toFixed(2)} MiB, ${row.elements} nodes, ${row.listeners} listeners, ` +
        `page ${row.page.toFixed(0)} MiB, Chromium ${row.chromium.toFixed(0)} MiB`,
    );
  };

  const started = Date.now();
  const until = started + Number(options.minutes) * 60_000;
  const came = [];
  let next = started;
  let looks = started + 30_000;
  while (Date.now() < until) {
    if (Date.now() >= next) {
      next += Number(options.arrivals) * 1000;
      came.push(await upload());
      if (came.length > 5) await call('DELETE', `/api/photos/${came.at(-6)}`);
    }
    if (Date.now() >= looks) {
      looks += 60_000;
      await look(started);
    }
    await pause(500);
  }
  await look(started);
  await browser.close();
  const quarter = Math.max(1, Math.floor(rows.length / 4));
  const median = (some, name) => some.map((row) => row[name]).sort((one, other) => one - other)[Math.floor(some.length / 2)];
  for (const name of ['heap', 'elements', 'listeners', 'page', 'chromium']) {
    const [early, late] = [rows.slice(quarter, 2 * quarter), rows.slice(-quarter)].map((some) => median(some, name));
    console.log(`${name}: ${early.toFixed(2)} in the second quarter, ${late.toFixed(2)} in the last`);
  }
}

const { demo, printed } = await startDemo();
try {
  const url = `http://${options.listen}`;
  const [, email, password] = /(\S+@\S+), password (\S+)/.exec(printed);
  const { token } = await client(url)('POST', '/api/auth/login', { email, password });
  const call = client(url, token);
  const { events } = await call('GET', '/api/events/search');
  const largest = events.sort((one, other) => other.indexing.total - one.indexing.total)[0];
  console.log(`a wall of ${options.photos} photos, ${options.speed} times as fast`);
  await measure(url, call, largest);
} finally {
  demo.removeAllListeners('exit');
  demo.kill('SIGINT');
}
