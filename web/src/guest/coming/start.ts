/** The view of this feature with its messages, for guests of events whose photographer says whether more photos are coming. */
import type { Messages } from '@lingui/core';
import type { PublicEvent } from '../../platform/api/types';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/coming.po', { import: 'messages' }));

export type ComingEvent = Pick<PublicEvent, 'complete' | 'coming_until'>;

/** Whether there is anything to say: otherwise nothing of it is loaded. */
export const saysWhatComes = ({ complete, coming_until: until }: ComingEvent): boolean =>
  complete === true || until != null;

export async function importComing() {
  const [imported] = await Promise.all([import('./Coming'), addMessages(load)]);
  return imported;
}
