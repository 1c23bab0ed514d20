/** The view of this feature with its messages, which few guests need: they are in a catalogue of their own. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/questions.po', { import: 'messages' }));

export async function importAskSheet() {
  const [imported] = await Promise.all([import('./AskSheet'), addMessages(load)]);
  return imported;
}
