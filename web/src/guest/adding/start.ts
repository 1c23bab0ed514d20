/** The view of this feature with its messages, for guests of events that take photos from them. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/adding.po', { import: 'messages' }));

export async function importAddPhotos() {
  const [imported] = await Promise.all([import('./AddPhotos'), addMessages(load)]);
  return imported;
}
