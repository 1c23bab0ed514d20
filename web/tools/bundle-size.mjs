/**
 * What the first load of a document moves: the scripts and styles that it asks for, and everything they import; fonts and
 * pictures are not counted there. And what the guest's page moves before its first button can be used, as it is sent.
 *
 *   node tools/bundle-size.mjs [DOCUMENT] [DIST]     (event.html, dist)
 *
 * Exits 1 above the limit, or that of a language, so that a build can be refused.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Compressed bytes that the first load of the guest's page may move. */
export const LIMIT = 100_000;

/** Compressed bytes that the messages of one language may have. */
export const LANGUAGE_LIMIT = 6000;

/** Bytes, as they are sent, that the guest's page may move before its first button can be used. */
export const BUTTON_LIMIT = 88_000;

const matchesOf = (pattern, text) => [...text.matchAll(pattern)].map((match) => match[1]);

/** The files of dist/assets that the first load of `document` moves, each with its sizes in bytes. */
export function firstLoad(dist, document) {
  const assets = join(dist, 'assets');
  const names = readdirSync(assets);
  const page = readFileSync(join(dist, document), 'utf8');
  const waiting = matchesOf(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g, page);
  if (waiting.length === 0) throw new Error(`${dist}/${document} names no script`);

  const files = new Set();
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (files.has(name)) continue;
    if (!names.includes(name)) throw new Error(`${name} is asked for and not there`);
    files.add(name);
    if (name.endsWith('.js')) {
      const source = readFileSync(join(assets, name), 'utf8');
      waiting.push(...matchesOf(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g, source));
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

/** The catalogues of messages of one kind, one file a language, each with its compressed size. */
export function catalogues(dist, kind) {
  const assets = join(dist, 'assets');
  return readdirSync(assets)
    .filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.js'))
    .map((name) => ({ name, gzip: gzipSync(readFileSync(join(assets, name)), { level: 9 }).length }));
}

/**
 * Bytes that travel before the first button of `document` can be used: the document with the styles in it, what it asks
 * for, fonts that its styles name, and one language. The event's own data and picture are the server's, and not counted.
 */
export function beforeButton(dist, document) {
  const page = readFileSync(join(dist, document), 'utf8');
  const files = new Set(firstLoad(dist, document).map(({ name }) => name));
  for (const name of matchesOf(/(?:src|href)="\/assets\/([^"]+)"/g, page)) files.add(name);
  const styles = [...files].filter((name) => name.endsWith('.css'));
  for (const name of styles) {
    const style = readFileSync(join(dist, 'assets', name), 'utf8');
    for (const font of matchesOf(/url\(["']?[^"')]*?([^"')/]+\.woff2)["']?\)/g, style)) files.add(font);
  }
  for (const name of matchesOf(/<link[^>]*href="\/assets\/([^"]+)"[^>]*\sdisabled/g, page))
    files.delete(name);
  const sent = (name) => {
    const file = join(dist, 'assets', name);
    if (existsSync(`${file}.br`)) return statSync(`${file}.br`).size;
    return name.endsWith('.woff2') ? statSync(file).size : brotliCompressSync(readFileSync(file)).length;
  };
  const language = Math.max(0, ...catalogues(dist, 'guest').map(({ name }) => sent(name)));
  return [...files].reduce((sum, name) => sum + sent(name), brotliCompressSync(page).length + language);
}

/** Bytes of all files in one encoding. */
export const sumOf = (files, encoding) => files.reduce((sum, file) => sum + file[encoding], 0);

if (import.meta.filename === process.argv[1]) {
  const document = process.argv[2] ?? 'event.html';
  const dist = resolve(process.argv[3] ?? join(import.meta.dirname, '../dist'));
  const files = firstLoad(dist, document).sort((a, b) => b.gzip - a.gzip);
  const line = (name, sizes) =>
    process.stdout.write(`${name.padEnd(48)}${sizes.map((size) => String(size).padStart(10)).join('')}\n`);
  line(document, ['raw', 'gzip', 'brotli']);
  for (const { name, raw, gzip, brotli } of files) line(name, [raw, gzip, brotli]);
  line('all', [sumOf(files, 'raw'), sumOf(files, 'gzip'), sumOf(files, 'brotli')]);
  if (sumOf(files, 'gzip') > LIMIT) {
    process.stderr.write(`more than ${LIMIT} bytes\n`);
    process.exitCode = 1;
  }
  if (document === 'event.html') {
    const before = beforeButton(dist, document);
    line('before the first button, as sent', ['', '', before]);
    if (before > BUTTON_LIMIT) {
      process.stderr.write(`more than ${BUTTON_LIMIT} bytes before the first button\n`);
      process.exitCode = 1;
    }
  }
  for (const kind of ['guest', 'results']) {
    const largest = Math.max(0, ...catalogues(dist, kind).map(({ gzip }) => gzip));
    line(`largest language, ${kind}`, ['', largest, '']);
    if (largest > LANGUAGE_LIMIT) {
      process.stderr.write(`a language has more than ${LANGUAGE_LIMIT} bytes\n`);
      process.exitCode = 1;
    }
  }
}
