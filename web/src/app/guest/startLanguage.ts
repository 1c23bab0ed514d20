/**
 * A script of its own, which the document runs before the page's: the catalogue is on its way while the page is still
 * being loaded.
 */
import { startGuestLanguage } from './language';

/** Resolves once the language of the page is there. */
export const languageStarted: Promise<void> = startGuestLanguage();
// Whoever waits for it handles the failure, which may come before.
languageStarted.catch(() => undefined);
