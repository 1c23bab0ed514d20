import type { Messages } from '@lingui/core';
import { storedLanguage } from '../storage/storage';
import { activateLanguage } from './activateLanguage';
import { english, type Language, negotiateLanguage } from './languages';

export type LoadMessages = (language: Language) => Promise<Messages>;

/** Loads the messages of a language by the files of a catalogue, as `import.meta.glob` has them. */
export const loaderOf =
  (importers: Record<string, () => Promise<Messages>>): LoadMessages =>
  async ({ tag }) => {
    const found = Object.entries(importers).find(([file]) => file.split('/').at(-2) === tag);
    if (found === undefined) throw new Error(`no catalogue of ${tag}`);
    return found[1]();
  };

/** The language that was chosen on this device before, or that the browser prefers. */
export function preferredLanguage(): Language {
  const chosen = storedLanguage.read();
  return negotiateLanguage([...(chosen === null ? [] : [chosen]), ...navigator.languages]);
}

// Of two that were asked for at nearly the same time, the last one counts, whichever is there first.
let starts = 0;
let choices = 0;

/** Activates a language, or English if it cannot be loaded. Rejects without that too. */
export async function startLanguage(language: Language, load: LoadMessages): Promise<void> {
  const own = ++starts;
  let loaded = language;
  const messages = await load(language).catch((error: unknown) => {
    if (language === english) throw error;
    loaded = english;
    return load(english);
  });
  if (own === starts) activateLanguage(loaded, messages);
}

/** Changes the language, and remembers it on this device. Rejects if it cannot be loaded. */
export async function chooseLanguage(language: Language, load: LoadMessages): Promise<void> {
  const own = ++choices;
  const messages = await load(language);
  if (own !== choices) return;
  // What is still being started was asked for before the choice.
  starts += 1;
  activateLanguage(language, messages);
  storedLanguage.write(language.tag);
}
