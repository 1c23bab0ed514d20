/** Returns a handler that opens the share sheet (Web Share API) with a link; null if the browser does not support it. */
export function createShareHandler({ title, url }: { title: string; url: string }): (() => void) | null {
  // Old browsers and pages without https do not have it.
  const canShare = (navigator as Partial<Navigator>).share !== undefined;
  if (!canShare) return null;
  return () => {
    // It rejects when the user closes the sheet, which is no error.
    navigator.share({ title, url }).catch(() => undefined);
  };
}
