import { i18n } from '@lingui/core';

/** The language of the page as a header: the server writes in it to whoever registers there. */
export const pageLanguage = (): { 'Accept-Language': string } => ({ 'Accept-Language': i18n.locale });
