import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { serverTexts } from '../../../tools/refusal-extractor';
import { english, languages } from './languages';

const root = resolve(import.meta.dirname, '../../..');

/** The translations of a catalogue by the ids of their messages. */
async function translationsOf(tag: string, name: string): Promise<Record<string, string>> {
  const filename = resolve(root, `locales/${tag}/${name}.po`);
  const catalogue = await formatter().parse(readFileSync(filename, 'utf8'), {
    locale: tag,
    sourceLocale: english.tag,
    filename,
  });
  return Object.fromEntries(Object.entries(catalogue).map(([id, { translation }]) => [id, translation]));
}

interface Placeholders {
  names: Set<string>;
  /** The cases of each plural, as in `plural one other`. */
  plurals: string[];
}

/** What is filled into a message, in all its cases. */
function placeholdersOf(message: string): Placeholders {
  const found: Placeholders = { names: new Set(), plurals: [] };
  const visit = (tokens: unknown) => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens as unknown[]) {
      if (!Array.isArray(token)) continue;
      const [name, kind, cases] = token as [string, string?, Record<string, unknown>?];
      found.names.add(name);
      if (cases === undefined || typeof cases !== 'object') continue;
      if (kind === 'plural') found.plurals.push(Object.keys(cases).join(' '));
      for (const [key, inner] of Object.entries(cases)) if (key !== 'offset') visit(inner);
    }
  };
  visit(compileMessage(message));
  return found;
}

/** The elements in a message, as in `<0>Login</0>`. */
const elementsOf = (message: string): string[] => (message.match(/<\/?\d+\/?>/g) ?? []).sort();

/** The plural categories that a language tells apart in numbers of photos: 'many' is for millions, but in Arabic. */
const categoriesOf = (tag: string): string[] =>
  new Intl.PluralRules(tag)
    .resolvedOptions()
    .pluralCategories.filter((category) => category !== 'many' || tag === 'ar');

const adminLanguages = languages.filter(({ tag }) => ['en', 'hi'].includes(tag));

describe.each([
  ['guest', languages],
  ['results', languages],
  ['subscriptions', languages],
  ['pin', languages],
  ['questions', languages],
  ['strangers', languages],
  ['adding', languages],
  ['browsing', languages],
  ['client-selections', languages],
  ['coming', languages],
  ['kept', languages],
  ['objections', languages],
  ['print', languages],
  ['site', languages],
  ['admin', adminLanguages],
] as const)('the catalogue %s', (name, of) => {
  it.each(of)('says everything in $name', async ({ tag }) => {
    const source = await translationsOf(english.tag, name);
    const translations = await translationsOf(tag, name);
    expect(Object.keys(translations).sort()).toEqual(Object.keys(source).sort());
    for (const [id, text] of Object.entries(source)) {
      const translation = translations[id] ?? '';
      expect(translation.trim(), id).not.toBe('');
      const [wanted, found] = [placeholdersOf(text), placeholdersOf(translation)];
      expect(found.names, id).toEqual(wanted.names);
      expect(found.plurals, id).toHaveLength(wanted.plurals.length);
      expect(elementsOf(translation), id).toEqual(elementsOf(text));
      for (const cases of found.plurals)
        for (const each of categoriesOf(tag)) expect(cases, id).toContain(each);
    }
  });
});

it.each([
  'guest',
  'results',
  'subscriptions',
  'pin',
  'questions',
  'strangers',
  'adding',
  'browsing',
  'client-selections',
  'coming',
  'kept',
  'objections',
  'site',
  'admin',
] as const)('the catalogue %s has the English texts of the server for its refusals', async (name) => {
  const texts = serverTexts();
  for (const [id, text] of Object.entries(await translationsOf(english.tag, name)))
    if (id.startsWith('refusal.')) expect(text, id).toBe(texts.get(id.replace('refusal.', '')));
});

it('has the languages of the mails to guests, in their order', () => {
  const mails = readFileSync(resolve(root, '../crates/app/src/guests/mails/texts.rs'), 'utf8');
  const [, list = ''] = /const LANGUAGES[^=]*= &\[(.*?)\];/s.exec(mails) ?? [];
  const tags = [...list.matchAll(/\("(\w+)", include_str!/g)].map(([, tag]) => tag);
  expect(tags).toEqual(languages.map(({ tag }) => tag));
});
