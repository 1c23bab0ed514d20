/** The views of this feature with its messages, which few guests need: they are in a catalogue of their own. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';

const load = loaderOf(
  import.meta.glob<Messages>('../../../locales/*/subscriptions.po', { import: 'messages' }),
);

async function withMessages<View>(view: Promise<View>): Promise<View> {
  const [imported] = await Promise.all([view, addMessages(load)]);
  return imported;
}

export const importEarly = () => withMessages(import('./Early'));
export const importTellMe = () => withMessages(import('./TellMe'));
export const importMailedLinkPage = () => withMessages(import('./MailedLinkPage'));
