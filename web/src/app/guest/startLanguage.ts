/**
 * A script of its own, which the document runs before the page's: the catalogue, and on a quick line the fonts, are
 * on their way while the page is still being loaded.
 */
import { startGuestLanguage } from './language';
import { startFonts } from '../../ui/theme/startFonts';

/** Resolves once the language of the page is there. */
export const languageStarted: Promise<void> = startGuestLanguage();
// Whoever waits for it handles the failure, which may come before.
languageStarted.catch(() => undefined);

/** Resolves once the fonts are used, or are not waited for. */
export const fontsStarted: Promise<void> = startFonts(import.meta.url);
