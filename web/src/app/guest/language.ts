import type { Messages } from '@lingui/core';
import { activateLanguage } from '../../shared/i18n/activateLanguage';
import { english, type Language, languages, negotiateLanguage } from '../../shared/i18n/languages';
import { storedLanguage } from '../../shared/storage';

const importers = import.meta.glob<Messages>('../../../locales/*/guest.po', { import: 'messages' });

async function importCatalogue({ tag }: Language): Promise<Messages> {
  const importMessages = importers[`../../../locales/${tag}/guest.po`];
  if (importMessages === undefined) throw new Error(`no catalogue of ${tag}`);
  return importMessages();
}

async function loadLanguage(language: Language): Promise<void> {
  activateLanguage(language, await importCatalogue(language));
}

/** Activates the language that the guest chose before, or that the browser prefers; English if it cannot be loaded. */
export async function startLanguage(): Promise<void> {
  const chosen = storedLanguage.read();
  const language = negotiateLanguage([...(chosen === null ? [] : [chosen]), ...navigator.languages]);
  try {
    await loadLanguage(language);
  } catch (error) {
    if (language === english) throw error;
    await loadLanguage(english);
  }
}

/** Changes the language of the page, and remembers it on this device. Rejects if it cannot be loaded. */
export async function chooseLanguage(tag: string): Promise<void> {
  const language = languages.find((each) => each.tag === tag) ?? english;
  await loadLanguage(language);
  storedLanguage.write(language.tag);
}
