/**
 * Extracts the messages of the code into the catalogues, and exits 1 if that changed any: they are to be committed, with
 * their translations. Exits 1 too where a message has two translations in catalogues of the same document: it has one id,
 * and the catalogue that is loaded last would change the words of the others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractMessages, locales } from './extract-messages.mjs';

const readAll = () =>
  new Map(
    readdirSync(locales, { recursive: true })
      .filter((name) => name.endsWith('.po'))
      .map((name) => [name, readFileSync(join(locales, name), 'utf8')]),
  );

const before = readAll();
extractMessages();
const changed = [...readAll()].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
if (changed.length > 0) {
  process.stderr.write(
    `npm run extract has changed ${changed.join(', ')}: translate what is new, and commit\n`,
  );
  process.exitCode = 1;
}

/** The catalogues of the app's document; all others but the prints', which are not shown, are of the guests'. */
const appCatalogues = ['admin.po', 'site.po'];
const documentOf = (file) =>
  file === 'print.po' ? null : appCatalogues.includes(file) ? 'the app' : 'the guests’ page';

/** The messages of a catalogue, with their contexts, and how they are translated. */
const translations = (text) =>
  [...text.replaceAll('"\n"', '').matchAll(/((?:msgctxt ".*"\n)?msgid ".+")\nmsgstr "(.+)"/g)].map(
    ([, id, translation]) => [id, translation],
  );

const known = new Map();
for (const [name, text] of readAll()) {
  const [language, file] = name.split(/[\\/]/);
  const document = documentOf(file);
  if (document === null) continue;
  for (const [id, translation] of translations(text)) {
    const key = `${language}, ${document}: ${id.replace('\n', ' ')}`;
    const before = known.get(key) ?? translation;
    known.set(key, before);
    if (before !== translation) {
      process.stderr.write(`${key} is '${before}' and '${translation}': give one of them a context\n`);
      process.exitCode = 1;
    }
  }
}
