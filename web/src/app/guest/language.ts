import type { Messages } from '@lingui/core';
import type { Language } from '../../shared/i18n/languages';
import { chooseLanguage, loaderOf, preferredLanguage, startLanguage } from '../../shared/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/guest.po', { import: 'messages' }));

export const startGuestLanguage = (): Promise<void> => startLanguage(preferredLanguage(), load);

export const chooseGuestLanguage = (language: Language): Promise<void> => chooseLanguage(language, load);
