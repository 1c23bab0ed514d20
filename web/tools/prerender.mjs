/**
 * Renders the public pages that are the same for everybody, in each language, into documents of their own: they are read before
 * the scripts are there, which then take them over (`src/main.tsx`). And what an event's page opens with, which is for the
 * server to fill (`src/app/prerendered/opening.tsx`).
 *
 *   node tools/prerender.mjs DIST RENDERER
 *
 * RENDERER is `src/app/prerendered/render.tsx` as Vite builds it for Node.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

/** The paths with the modules of their screens. */
const PAGES = {
  '/': 'src/site/LandingPage.tsx',
  '/pricing': 'src/site/PricingPage.tsx',
  '/login': 'src/site/sessions/LoginPage.tsx',
  '/register': 'src/site/sessions/RegisterPage.tsx',
};

const [dist, renderer] = process.argv.slice(2);
// The libraries are those of the build.
process.env.NODE_ENV = 'production';
// Modules read it when they are loaded.
globalThis.window = { location: new URL('http://localhost/'), addEventListener: () => undefined };
const { eventOpening, tags, renderPage } = await import(pathToFileURL(resolve(renderer)).href);
/** The app's document, with its styles in it. The disabled link says to chunks that are loaded later that these styles are there. */
const app = readFileSync(join(dist, 'index.html'), 'utf8').replace(
  /<link rel="stylesheet"([^>]*?) href="\/([^"]+)">/g,
  (_, attributes, file) => {
    const styles = readFileSync(join(dist, file), 'utf8');
    return `<link rel="stylesheet"${attributes} href="/${file}" disabled>\n    <style>${styles}</style>`;
  },
);
const scriptTags = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;
const scripts = app.match(scriptTags);
const template = app.replace(scriptTags, '');

function replaced(text, from, to) {
  if (!text.includes(from)) throw new Error(`the document has no ${from}`);
  return text.replace(from, () => to);
}

// Vite's list of what each module was built to; no browser needs it.
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
rmSync(join(dist, '.vite'), { recursive: true });

/** The scripts that a module needs, which the app's document does not name yet. */
function preloads(module, found = new Set()) {
  const chunk = manifest[module];
  if (chunk === undefined) throw new Error(`the build has no ${module}`);
  if (!found.has(chunk.file)) {
    found.add(chunk.file);
    for (const imported of chunk.imports ?? []) preloads(imported, found);
  }
  return [...found]
    .filter((file) => !app.includes(`/${file}"`))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
}

/** What `mark.js` loads: nothing in a template loads by itself. Pictures come first. */
function late(links) {
  const tags = [...scripts, ...links].map((tag) =>
    tag.trim().replace(' crossorigin', ' crossorigin fetchpriority="low"'),
  );
  return `<template id="scripts">${tags.join('')}</template>`;
}

const script = readFileSync(join(import.meta.dirname, 'mark.js'), 'utf8')
  .replace(/^\s*\/\/.*$/gm, '')
  .replace(/\s+/g, ' ')
  .trim();
const marks = `<script>${script}</script><style>[data-stale] #root{visibility:hidden}</style>`;

const compressed = [];
mkdirSync(join(dist, 'pages'), { recursive: true });
for (const tag of tags) {
  for (const [path, screen] of Object.entries(PAGES)) {
    const { content, styles, direction } = await renderPage(path, tag);
    let page = replaced(
      template,
      '<html lang="en" data-site="Afterglow">',
      `<html lang="${tag}" data-site="Afterglow" dir="${direction}">`,
    );
    const links = [...preloads(`locales/${tag}/site.po`), ...preloads(screen)];
    page = replaced(page, '</head>', `${styles}${late(links)}${marks}</head>`);
    page = replaced(page, '<div id="root"></div>', `<div id="root">${content}</div>`);
    const file = join(dist, 'pages', `${path === '/' ? 'home' : path.slice(1)}.${tag}.html`);
    writeFileSync(file, page);
    compressed.push(promisify(brotliCompress)(page).then((bytes) => writeFileSync(`${file}.br`, bytes)));
  }
}
await Promise.all(compressed);
// What the server allows besides its own files.
writeFileSync(
  join(dist, 'pages', 'script-src.txt'),
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
);

const opening = eventOpening();
const eventDocument = join(dist, 'event.html');
// What the comment says is for whoever reads the source.
const event = readFileSync(eventDocument, 'utf8').replace(/<!-- head:[^>]*-->/, '<!-- head -->');
for (const [, names] of opening.matchAll(/class="([^"]+)"/g))
  for (const name of names.split(' '))
    if (!event.includes(`.${name}`)) throw new Error(`event.html has no style of ${name}`);
writeFileSync(
  eventDocument,
  replaced(
    event,
    '<div id="root"></div>',
    `<div id="root"><!-- opening -->${opening}<!-- /opening --></div>`,
  ),
);

// A timer that a page has left behind would keep this process, and with it each build, for minutes.
const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
if (timers > 0) throw new Error(`${timers} timers are left of the pages`);
