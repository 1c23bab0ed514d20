/**
 * What the first load of a screen moves: the scripts and styles that index.html asks for, those that the route
 * asks for before it shows, and everything they import. Fonts and pictures are not counted.
 *
 *   node tools/bundle-size.mjs [SCREEN] [DIST]     (EventPage, dist)
 *
 * Exits 1 above the limit, so that a build can be refused.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Compressed bytes that the first load of the guest's page may move. */
export const LIMIT = 200_000;

const matchesOf = (pattern, text) => [...text.matchAll(pattern)].map((match) => match[1]);

/** The files of dist/assets that the first load of `screen` moves, each with its sizes in bytes. */
export function firstLoad(dist, screen) {
  const assets = join(dist, 'assets');
  const names = readdirSync(assets);
  const text = (name) => readFileSync(join(assets, name), 'utf8');

  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const entries = matchesOf(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g, page);
  const route = names.filter((name) => name.startsWith(`${screen}-`) && name.endsWith('.js'));
  if (entries.length === 0) throw new Error(`${dist}/index.html names no script`);
  if (route.length !== 1) throw new Error(`${assets} has ${route.length} files for ${screen}`);

  const waiting = [...entries, ...route, ...preloadedFor(route[0], entries, text)];
  const files = new Set();
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (files.has(name)) continue;
    if (!names.includes(name)) throw new Error(`${name} is asked for and not there`);
    files.add(name);
    if (name.endsWith('.js')) {
      waiting.push(...matchesOf(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g, text(name)));
    }
  }
  return [...files].map((name) => {
    const bytes = readFileSync(join(assets, name));
    return {
      name,
      raw: bytes.length,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes).length,
    };
  });
}

/** The styles and scripts that the bundler fetches beside a route's own file. */
function preloadedFor(route, entries, text) {
  const found = [];
  for (const entry of entries.filter((name) => name.endsWith('.js'))) {
    const source = text(entry);
    const list = /__vite__mapDeps[^[]*?m\.f=\[([^\]]*)\]|m\.f\|\|\(m\.f=\[([^\]]*)\]/.exec(source);
    if (list === null) continue;
    const files = matchesOf(/["'`]assets\/([^"'`]+)["'`]/g, list[1] ?? list[2] ?? '');
    const quoted = route.replaceAll(/[.$]/g, '\\$&');
    const call = new RegExp(
      `import\\(["'\`]\\./${quoted}["'\`]\\)[^_[^;]{0,60}?__vite__mapDeps\\(\\[([\\d,]*)\\]`,
    ).exec(source);
    for (const place of (call?.[1] ?? '').split(',').filter((number) => number !== '')) {
      found.push(files[Number(place)]);
    }
  }
  return found;
}

/** Bytes of all files in one encoding. */
export const sumOf = (files, encoding) => files.reduce((sum, file) => sum + file[encoding], 0);

if (import.meta.filename === process.argv[1]) {
  const screen = process.argv[2] ?? 'EventPage';
  const dist = resolve(process.argv[3] ?? join(import.meta.dirname, '../dist'));
  const files = firstLoad(dist, screen).sort((a, b) => b.gzip - a.gzip);
  const line = (name, sizes) =>
    process.stdout.write(`${name.padEnd(48)}${sizes.map((size) => String(size).padStart(10)).join('')}\n`);
  line(screen, ['raw', 'gzip', 'brotli']);
  for (const { name, raw, gzip, brotli } of files) line(name, [raw, gzip, brotli]);
  line('all', [sumOf(files, 'raw'), sumOf(files, 'gzip'), sumOf(files, 'brotli')]);
  if (sumOf(files, 'gzip') > LIMIT) {
    process.stderr.write(`more than ${LIMIT} bytes\n`);
    process.exitCode = 1;
  }
}
