/**
 * Extracts the messages of the code into the catalogues. Those of the admin screens are kept in the languages that these
 * screens have; Lingui writes every catalogue in every language.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export const locales = join(root, 'locales');

/** The languages of the admin screens. */
const adminLanguages = ['en', 'hi'];

export function extractMessages() {
  execFileSync(join(root, 'node_modules/.bin/lingui'), ['extract', '--clean'], { cwd: root, stdio: 'pipe' });
  for (const tag of readdirSync(locales)) {
    if (!adminLanguages.includes(tag)) rmSync(join(locales, tag, 'admin.po'), { force: true });
  }
}

if (import.meta.filename === process.argv[1]) extractMessages();
