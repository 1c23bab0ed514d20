/** When the fonts of an event's page are fetched. */

/** Milliseconds for a small script, on a line that carries fonts and scripts at once. */
const quickAnswer = 300;

/** Milliseconds that the first paint waits on such a line for fonts that are under way. */
const longestWait = 300;

/** Fetches the fonts, and uses them as soon as nothing moves by that. */
export const showFonts = async (): Promise<void> => (await import('./webFonts')).showFonts();

/** Whether a script came so quickly that the fonts do not delay the page, as from the browser's cache. */
function cameQuickly(script: string): boolean {
  const [entry] = performance.getEntriesByName(script);
  return entry !== undefined && entry.duration < quickAnswer;
}

/**
 * Fetches the fonts before the page is shown if that does not delay it; `script` is the address of a script that came
 * before them. Resolves once they are used, or are not waited for.
 */
export function startFonts(script: string): Promise<void> {
  if (!cameQuickly(script)) return Promise.resolve();
  const limit = new Promise<void>((resolve) => setTimeout(resolve, longestWait));
  return Promise.race([showFonts().catch(() => undefined), limit]);
}
