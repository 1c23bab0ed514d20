/** The messages of searches, results and saving: the first load does without them. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../platform/i18n/addMessages';
import { loaderOf } from '../platform/i18n/startLanguage';

export const loadResultsMessages = loaderOf(
  import.meta.glob<Messages>('../../locales/*/results.po', { import: 'messages' }),
);

export const addResultsMessages = (): Promise<void> => addMessages(loadResultsMessages);
