/**
 * Extracts the messages of the code into the catalogues, and exits 1 if that changed any: they are to be committed, with
 * their translations.
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
