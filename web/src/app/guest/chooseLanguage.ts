import type { Messages } from '@lingui/core';
import type { Language } from '../../platform/i18n/languages';
import { chooseLanguage } from '../../platform/i18n/startLanguage';
import { loadGuestMessages } from './language';

/** All messages of a language: what is on the page may be results. */
async function loadAll(language: Language): Promise<Messages> {
  const [messages, results] = await Promise.all([
    loadGuestMessages(language),
    import('../../guest/resultsMessages').then(({ loadResultsMessages }) => loadResultsMessages(language)),
  ]);
  return { ...messages, ...results };
}

export const chooseGuestLanguage = (language: Language): Promise<void> => chooseLanguage(language, loadAll);
