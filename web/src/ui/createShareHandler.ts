/** Returns a handler that opens the share sheet (Web Share API) with a link, and words before it; null if the browser does not support it. */
export function createShareHandler(shared: {
  title: string;
  text?: string;
  url: string;
}): (() => void) | null {
  // Old browsers and pages without https do not have it.
  const canShare = (navigator as Partial<Navigator>).share !== undefined;
  if (!canShare) return null;
  return () => {
    // It rejects when the user closes the sheet, which is no error.
    navigator.share(shared).catch(() => undefined);
  };
}
