import type { Messages } from '@lingui/core';
import { loaderOf, preferredLanguage, startLanguage } from '../../platform/i18n/startLanguage';

/** Loads what an event's page says before a search. */
export const loadGuestMessages = loaderOf(
  import.meta.glob<Messages>('../../../locales/*/guest.po', { import: 'messages' }),
);

export const startGuestLanguage = (): Promise<void> => startLanguage(preferredLanguage(), loadGuestMessages);
