/** The view of this feature with its messages, which the guests of few events need: they are in a catalogue of their own. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/pin.po', { import: 'messages' }));

export async function importPinForm() {
  const [imported] = await Promise.all([import('./PinForm'), addMessages(load)]);
  return imported;
}
