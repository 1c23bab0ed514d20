/** What the operator calls the service: the server writes it into each document, also into those that were rendered ahead. */
export const siteName: string =
  // There is no document while pages are rendered ahead.
  (globalThis.document as Document | undefined)?.documentElement.dataset['site'] ?? 'Afterglow';
