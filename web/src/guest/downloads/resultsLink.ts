const prefix = '#results=';

/** The address that shows results again in another browser. The token is in the fragment, which no server sees. */
export const resultsLink = (slug: string, token: string): string =>
  `${window.location.origin}/event/${encodeURIComponent(slug)}${prefix}${encodeURIComponent(token)}`;

/** The token in the address; null without one. */
export function resultsTokenOf({ hash }: Pick<Location, 'hash'>): string | null {
  if (!hash.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(hash.slice(prefix.length));
  } catch {
    return null;
  }
}

/** Removes the token from the address, so that the address that the guest shares does not show the results. */
export function removeResultsToken(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', pathname + search);
}
