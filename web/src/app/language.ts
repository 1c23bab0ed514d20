import type { Messages } from '@lingui/core';
import { english, type Language, languages } from '../platform/i18n/languages';
import {
  chooseLanguage,
  type LoadMessages,
  loaderOf,
  preferredLanguage,
  startLanguage,
} from '../platform/i18n/startLanguage';
import type { Section } from './sections';

const adminCatalogues = import.meta.glob<Messages>('../../locales/*/admin.po', { import: 'messages' });
const siteCatalogues = import.meta.glob<Messages>('../../locales/*/site.po', { import: 'messages' });

/** The languages of the admin screens: those that have a catalogue of them. */
export const adminLanguages: readonly Language[] = languages.filter(({ tag }) =>
  Object.keys(adminCatalogues).some((file) => file.split('/').at(-2) === tag),
);

let seen: Messages = {};

/**
 * What was loaded before stays beneath the messages of a language: a screen that is being left may be rendered once more
 * before the next one is there, and would show the ids of its messages.
 */
const keepingSeen =
  (load: LoadMessages): LoadMessages =>
  async (language) => {
    seen = { ...seen, ...(await load(language)) };
    return seen;
  };

const loaders: Record<Section, LoadMessages> = {
  admin: keepingSeen(loaderOf(adminCatalogues)),
  public: keepingSeen(loaderOf(siteCatalogues)),
};

/** The language of a section: the admin screens are in English for those whose language they do not have. */
function languageOf(section: Section): Language {
  const language = preferredLanguage();
  return section === 'public' || adminLanguages.includes(language) ? language : english;
}

/** Activates the language of the visitor, or of the photographer, with the messages of a section. */
export const startSectionLanguage = (section: Section): Promise<void> =>
  startLanguage(languageOf(section), loaders[section]);

export const chooseSectionLanguage =
  (section: Section) =>
  (language: Language): Promise<void> =>
    chooseLanguage(language, loaders[section]);
