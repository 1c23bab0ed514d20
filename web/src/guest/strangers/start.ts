/** The view of this feature with its messages, which few guests need: they are in a catalogue of their own. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/strangers.po', { import: 'messages' }));

export async function importWithoutStrangers() {
  const [imported] = await Promise.all([import('./WithoutStrangersSheet'), addMessages(load)]);
  return imported;
}
