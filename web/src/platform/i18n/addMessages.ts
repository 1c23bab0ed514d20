import { i18n } from '@lingui/core';
import { english, languages } from './languages';
import type { LoadMessages } from './startLanguage';

/**
 * Adds the messages of a feature that has a catalogue of its own to those of the language that is shown. Rejects if they
 * cannot be loaded.
 */
export async function addMessages(load: LoadMessages): Promise<void> {
  const language = languages.find(({ tag }) => tag === i18n.locale) ?? english;
  i18n.load(language.tag, await load(language));
}
