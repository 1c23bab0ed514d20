import type { Messages } from '@lingui/core';
import type { Language } from '../../platform/i18n/languages';
import {
  chooseLanguage,
  loaderOf,
  preferredLanguage,
  startLanguage,
} from '../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/guest.po', { import: 'messages' }));

export const startGuestLanguage = (): Promise<void> => startLanguage(preferredLanguage(), load);

/** All messages of a language: what is on the page may be results. */
async function loadAll(language: Language): Promise<Messages> {
  const [messages, results] = await Promise.all([
    load(language),
    import('../../guest/resultsMessages').then(({ loadResultsMessages }) => loadResultsMessages(language)),
  ]);
  return { ...messages, ...results };
}

export const chooseGuestLanguage = (language: Language): Promise<void> => chooseLanguage(language, loadAll);
