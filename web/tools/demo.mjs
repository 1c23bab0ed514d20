/**
 * Serves a demo event: a photographer, an evening of photos, the people in them, the guest link and its QR code. All
 * data is in one folder, so that a second run continues with the same event.
 *
 *   node tools/demo.mjs [ADDRESS] [FOLDER] [PICTURES]     (127.0.0.1:8080, .cache/demo, .cache/demo-pictures)
 *
 * With 0.0.0.0:8080 as the address, phones in the same network can connect.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { toString as drawCode } from 'qrcode';

const ROOT = resolve(import.meta.dirname, '../..');
const [
  address = '127.0.0.1:8080',
  folder = join(ROOT, '.cache/demo'),
  pictures = join(ROOT, '.cache/demo-pictures'),
] = process.argv.slice(2);
const DEMO_FOLDER = resolve(folder);
/** As tools/demo/make_event.py makes it. */
const PICTURES = resolve(pictures);
const SELFIES = join(PICTURES, 'selfies');
const OUTBOX = join(DEMO_FOLDER, 'data/outbox');
const LOG = join(DEMO_FOLDER, 'server.log');

const PHOTOGRAPHER = { name: 'Mira Sen', email: 'mira@example.com', password: 'only a demo' };
const EVENT = {
  name: 'An evening at the photo booth',
  description: 'Snapshots, prints and strips. Try a selfie of somebody who was there.',
};
/** The server takes in this many at once; more would wait there. */
const UPLOADS = 4;

const print = (text = '') => process.stdout.write(`${text}\n`);

class ApiError extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** The address of this machine in its network. */
function networkHost() {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost';
}

/** Starts the server; returns its process and its URL. */
async function startServer() {
  const binary = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug/afterglow');
  if (!existsSync(binary)) throw new Error(`${binary} does not exist: run make build`);
  mkdirSync(DEMO_FOLDER, { recursive: true });
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined) throw new Error(`${address} is not an address with a port`);
  const publicHost = host === '0.0.0.0' ? networkHost() : host;
  // The user's own settings are for another server.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('AFTERGLOW_'));
  const child = spawn(binary, ['serve'], {
    cwd: DEMO_FOLDER,
    env: {
      ...Object.fromEntries(environment),
      AFTERGLOW_LISTEN: address,
      AFTERGLOW_PUBLIC_URL: `http://${publicHost}:${port}`,
      AFTERGLOW_DATA_DIR: join(DEMO_FOLDER, 'data'),
      AFTERGLOW_MODEL_DIR: join(ROOT, 'models'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = createWriteStream(LOG);
  const lastLines = [];
  await new Promise((done, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      const isPortTaken = lastLines.some((line) => /in use/i.test(line));
      const advice = isPortTaken
        ? `\n${address} is taken. Choose another: make demo LISTEN=127.0.0.1:8081`
        : '';
      reject(new Error(`the server did not start:\n${lastLines.join('\n')}${advice}`));
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.write(`${line}\n`);
      lastLines.push(line);
      if (lastLines.length > 8) lastLines.shift();
      if (/listening/.test(line)) done();
    });
  });
  child.removeAllListeners('close');
  return { child, url: `http://${publicHost}:${port}` };
}

async function call(url, init = {}) {
  const response = await fetch(url, init);
  const body = await response.json();
  if (!response.ok) throw new ApiError(response.status, `${url}: ${body.error}`);
  return body;
}

const post = (url, body, headers = {}) =>
  call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The token in the newest verification mail, which is quoted-printable. */
async function verificationToken() {
  for (let tries = 0; tries < 100; tries += 1) {
    const mails = existsSync(OUTBOX) ? readdirSync(OUTBOX).filter((name) => name.endsWith('.eml')) : [];
    for (const name of mails.sort().reverse()) {
      const mail = readFileSync(join(OUTBOX, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      const token = /\/verify-email\?token=([\w-]+)/.exec(mail)?.[1];
      // A folder of an earlier version has the mail of another account.
      if (token !== undefined && mail.includes(PHOTOGRAPHER.email)) return token;
    }
    await pause(200);
  }
  throw new Error(`no verification mail in ${OUTBOX}`);
}

async function logIn(url) {
  const { email, password } = PHOTOGRAPHER;
  const attempt = () => post(`${url}/api/auth/login`, { email, password });
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
    // 403: an earlier run was interrupted between registration and verification.
    if (error.status === 401)
      await post(`${url}/api/auth/register`, { ...PHOTOGRAPHER, is_photographer: true });
    else await post(`${url}/api/auth/resend-verification`, { email });
  }
  await post(`${url}/api/auth/verify-email`, { token: await verificationToken() });
  return attempt();
}

/** Creates the event, uploads its photos and puts its people together, unless an earlier run has. */
async function ensureEvent(url, token) {
  const headers = { Authorization: `Bearer ${token}` };
  const events = await call(`${url}/api/events/`, { headers });
  const { date, people } = JSON.parse(readFileSync(join(PICTURES, 'event.json'), 'utf8'));
  const event =
    events.find(({ name }) => name === EVENT.name) ??
    (await post(`${url}/api/events/`, { ...EVENT, date }, headers));
  const progress = async () => (await call(`${url}/api/events/${event.slug}`)).indexing;
  const names = readdirSync(join(PICTURES, 'photos')).sort();
  const isThere = (await progress()).total >= names.length;
  const waiting = isThere ? [] : [...names];
  const upload = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const form = new FormData();
      const photo = readFileSync(join(PICTURES, 'photos', name));
      form.append('photos', new Blob([photo], { type: 'image/jpeg' }), name);
      form.append('event_id', event.id);
      await call(`${url}/api/photos/upload`, { method: 'POST', headers, body: form }).catch(explainCredits);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS }, upload));
  let indexing = await progress();
  for (let shown = 0; indexing.waiting > 0; indexing = await progress()) {
    if (indexing.indexed >= shown + 20) {
      shown = indexing.indexed;
      print(`${shown} of ${indexing.total} photos can be found...`);
    }
    await pause(500);
  }
  return { ...event, photos: indexing.total, people, groups: await groups(url, event.id, headers) };
}

/** Photos that were deleted after 30 days would be paid for again. */
function explainCredits(error) {
  if (!(error instanceof ApiError) || error.status !== 402) throw error;
  throw new Error(
    `The demo's credits are used up. Remove ${relative(ROOT, DEMO_FOLDER)} to begin with a new event.`,
  );
}

/** How many people the faces are put together to. The service does so once a minute, for which nobody waits here. */
async function groups(url, id, headers) {
  const list = await call(`${url}/api/events/${id}/people`, { headers });
  if (!list.enabled) return 'switched off';
  return list.waiting_faces > 0 ? 'within a minute' : `${list.total_count} of them`;
}

async function printSummary(url, { id, slug, photos, people, groups: found }) {
  const link = `${url}/event/${slug}`;
  const selfies = relative(ROOT, SELFIES);
  print(await drawCode(link, { type: 'terminal', small: true, margin: 2 }));
  print(`The guests’ page   ${link}`);
  print(`                   ${photos} photos. Choose ‘upload a photo’ and one of ${selfies}/:`);
  for (let first = 0; first < people.length; first += 10)
    print(`                   ${people.slice(first, first + 10).join(', ')}`);
  print('                   It finds the photos of that person; ‘Add a friend’ those of two.');
  print(`The photographer   ${url}/login`);
  print(`                   ${PHOTOGRAPHER.email}, password ${PHOTOGRAPHER.password}`);
  print(`The people found   ${url}/admin/people?event=${id} (${found})`);
  print(`Mails and log      ${relative(ROOT, OUTBOX)}, ${relative(ROOT, LOG)}`);
  if (!address.startsWith('0.0.0.0')) {
    print('For a phone in the same network: make demo LISTEN=0.0.0.0:8080 (everybody in it can log in).');
  }
  print('Ctrl-C stops it; the next run continues with the same data.');
}

let child;
try {
  const server = await startServer();
  child = server.child;
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  child.once('close', (code) => process.exit(code ?? 0));
  print('Preparing the demo event, about a minute the first time...');
  const { token } = await logIn(server.url);
  await printSummary(server.url, await ensureEvent(server.url, token));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  child?.kill('SIGTERM');
  process.exitCode = 1;
}
