/**
 * Takes the refusals' texts for translation from the server's own table. Each `refusals.json` names the codes of those that
 * a person can meet there; no code imports it: the server sends the English texts, and `refusalText` finds a translation by
 * the code.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtractorType } from '@lingui/conf';

const domain = join(import.meta.dirname, '../../crates/domain/src');
const sourceOf = (file: string) => readFileSync(join(domain, file), 'utf8');

/** The server's texts by their codes; the time to wait in one of them is the page's to say. */
export function serverTexts(): Map<string, string> {
  const failures = sourceOf('photos/failures.rs');
  const failure = (cause: string) => new RegExp(`::${cause} => String::from\\("([^"]+)"`).exec(failures)?.[1];
  const tooMany = /format!\("([^"]+)", in_words/.exec(sourceOf('refusal/table.rs'))?.[1];
  const others = [
    ['too_many_requests', tooMany?.replace('{}', '{wait}')],
    ['photo_exhausted', failure('Exhausted')],
    ['photo_crashed', failure('Crashed')],
  ] as const;
  const texts = new Map<string, string>();
  const table = ['refusal/accounts.rs', 'refusal/clients.rs', 'refusal/invoices.rs', 'refusal.rs']
    .map(sourceOf)
    .join('');
  for (const [, code = '', text = ''] of table.matchAll(/ => \w+, "(\w+)", "([^"]+)";/g))
    texts.set(code, text);
  for (const [code, text] of others) if (text !== undefined) texts.set(code, text);
  return texts;
}

export const refusalExtractor: ExtractorType = {
  match: (file) => file.endsWith('/refusals.json'),
  extract(file, content, onMessage) {
    const texts = serverTexts();
    for (const [index, code] of (JSON.parse(content) as string[]).entries()) {
      const message = texts.get(code);
      if (message === undefined) throw new Error(`${file}: the server has no refusal ${code}`);
      onMessage({ id: `refusal.${code}`, message, origin: [file, index + 1], placeholders: {} });
    }
  },
};
