/**
 * Serves a furnished house: a photographer, an event with real pictures that are searchable, its link and its QR
 * code. What it keeps lies in one folder, so that a second run finds everything where the first one left it.
 *
 *   node tools/demo.mjs [ADDRESS] [FOLDER]     (127.0.0.1:8080, .cache/demo)
 *
 * 0.0.0.0:8080 as the address lets phones of the same network in.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { toString as drawCode } from 'qrcode';

const ROOT = resolve(import.meta.dirname, '../..');
const [address = '127.0.0.1:8080', folder = join(ROOT, '.cache/demo')] = process.argv.slice(2);
const HOUSE = resolve(folder);
const PICTURES = join(ROOT, '.cache/pictures');
const OUTBOX = join(HOUSE, 'data/outbox');
const LOG = join(HOUSE, 'server.log');

const PHOTOGRAPHER = { name: 'Mira Sen', email: 'demo@example.com', password: 'afterglow' };
const EVENT = {
  name: 'An evening in Washington',
  description: 'Try a selfie of somebody who was there.',
};
/** Not among the event's photos: a selfie is another picture of the person. */
const SELFIE = 'obama.jpg';

const say = (text = '') => process.stdout.write(`${text}\n`);

class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** The host that other machines of the network know this one by. */
function networkHost() {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost';
}

/** Starts the server; answers its process and where it listens. */
async function start() {
  const binary = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug/afterglow');
  if (!existsSync(binary)) throw new Error(`${binary} is not there: make build`);
  mkdirSync(HOUSE, { recursive: true });
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined) throw new Error(`${address} is no address with a port`);
  const publicHost = host === '0.0.0.0' ? networkHost() : host;
  // The settings of whoever runs this are for another house.
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('AFTERGLOW_'));
  const child = spawn(binary, ['serve'], {
    cwd: HOUSE,
    env: {
      ...Object.fromEntries(settings),
      AFTERGLOW_LISTEN: address,
      AFTERGLOW_PUBLIC_URL: `http://${publicHost}:${port}`,
      AFTERGLOW_DATA_DIR: join(HOUSE, 'data'),
      AFTERGLOW_MODEL_DIR: join(ROOT, 'models'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = createWriteStream(LOG);
  const last = [];
  await new Promise((listening, fail) => {
    child.once('error', fail);
    child.once('close', () => {
      const busy = last.some((line) => /in use/i.test(line));
      const advice = busy ? `\n${address} is taken. Choose another: make demo LISTEN=127.0.0.1:8081` : '';
      fail(new Error(`the server did not start:\n${last.join('\n')}${advice}`));
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.write(`${line}\n`);
      last.push(line);
      if (last.length > 8) last.shift();
      if (/listening/.test(line)) listening();
    });
  });
  child.removeAllListeners('close');
  return { child, url: `http://${publicHost}:${port}` };
}

async function call(url, init = {}) {
  const answer = await fetch(url, init);
  const body = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, `${url}: ${body.error}`);
  return body;
}

const post = (url, body, headers = {}) =>
  call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The token of the newest mail that has a link for verifying; quoted-printable is read. */
async function mailedToken() {
  for (let tries = 0; tries < 100; tries += 1) {
    const mails = existsSync(OUTBOX) ? readdirSync(OUTBOX).filter((name) => name.endsWith('.eml')) : [];
    for (const name of mails.sort().reverse()) {
      const mail = readFileSync(join(OUTBOX, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      const token = /\/verify-email\?token=([\w-]+)/.exec(mail)?.[1];
      if (token !== undefined) return token;
    }
    await pause(200);
  }
  throw new Error(`no mail came to ${OUTBOX}`);
}

async function logIn(url) {
  const { email, password } = PHOTOGRAPHER;
  const ask = () => post(`${url}/api/auth/login`, { email, password });
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refused) || (error.status !== 401 && error.status !== 403)) throw error;
    // 403 is a first run that was broken off between registering and verifying.
    if (error.status === 401)
      await post(`${url}/api/auth/register`, { ...PHOTOGRAPHER, is_photographer: true });
    else await post(`${url}/api/auth/resend-verification`, { email });
  }
  await post(`${url}/api/auth/verify-email`, { token: await mailedToken() });
  return ask();
}

/** The event with all its pictures; what is there already is not made again. */
async function holdEvent(url, token) {
  const headers = { Authorization: `Bearer ${token}` };
  const events = await call(`${url}/api/events/`, { headers });
  const date = new Date().toISOString().slice(0, 10);
  const event =
    events.find(({ name }) => name === EVENT.name) ??
    (await post(`${url}/api/events/`, { ...EVENT, date }, headers));
  const names = readdirSync(PICTURES).filter((name) => name.endsWith('.jpg') && name !== SELFIE);
  for (const name of names) {
    const form = new FormData();
    form.append('photos', new Blob([readFileSync(join(PICTURES, name))], { type: 'image/jpeg' }), name);
    form.append('event_id', event.id);
    await call(`${url}/api/photos/upload`, { method: 'POST', headers, body: form });
  }
  for (let indexed = 0; indexed < names.length;) {
    await pause(500);
    ({ indexed } = (await call(`${url}/api/events/${event.slug}`)).indexing);
  }
  return { slug: event.slug, photos: names.length };
}

async function present(url, { slug, photos }) {
  const link = `${url}/event/${slug}`;
  say(await drawCode(link, { type: 'terminal', small: true, margin: 2 }));
  say(`The guests’ page   ${link}`);
  say(
    `                   ${photos} photos. Choose ‘upload a photo’ and ${relative(ROOT, join(PICTURES, SELFIE))}:`,
  );
  say('                   it finds that person in the others, and nobody else.');
  say(`The photographer   ${url}/login`);
  say(`                   ${PHOTOGRAPHER.email}, password ${PHOTOGRAPHER.password}`);
  say(`Mails and log      ${relative(ROOT, OUTBOX)}, ${relative(ROOT, LOG)}`);
  if (!address.startsWith('0.0.0.0')) {
    say('For a phone in the same network: make demo LISTEN=0.0.0.0:8080 (everybody in it can log in).');
  }
  say('Ctrl-C ends it; the next run finds everything as it is.');
}

let child;
try {
  const server = await start();
  child = server.child;
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  child.once('close', (code) => process.exit(code ?? 0));
  say('Furnishing the house...');
  const { token } = await logIn(server.url);
  await present(server.url, await holdEvent(server.url, token));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  child?.kill('SIGTERM');
  process.exitCode = 1;
}
