/**
 * Extracts the messages of the code into the catalogues, and exits 1 if that changed any: they are to be committed, with
 * their translations.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const locales = join(root, 'locales');

const readAll = () =>
  new Map(
    readdirSync(locales, { recursive: true })
      .filter((name) => name.endsWith('.po'))
      .map((name) => [name, readFileSync(join(locales, name), 'utf8')]),
  );

const before = readAll();
execFileSync(join(root, 'node_modules/.bin/lingui'), ['extract', '--clean'], { cwd: root, stdio: 'pipe' });
const changed = [...readAll()].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
if (changed.length > 0) {
  process.stderr.write(
    `npm run extract has changed ${changed.join(', ')}: translate what is new, and commit\n`,
  );
  process.exitCode = 1;
}
