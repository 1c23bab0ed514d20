/** Opens the system's share sheet with a link; null where the browser has none. */
export function shareSheet({ title, url }: { title: string; url: string }): (() => void) | null {
  // Old browsers and pages without https have no share sheet.
  const canShare = (navigator as Partial<Navigator>).share !== undefined;
  if (!canShare) return null;
  return () => {
    // Whoever closes the sheet has changed their mind: there is nothing to say.
    navigator.share({ title, url }).catch(() => undefined);
  };
}
