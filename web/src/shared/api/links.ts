const ownFiles = '/api/files/';

/**
 * The server writes links to its files with its public address. They are followed on the origin the page came
 * from, so that they also work under another name: a phone in the studio's network, a tunnel, a preview.
 * Links of an object store stay as they are.
 */
export function sameOrigin(link: string): string {
  let url: URL;
  try {
    url = new URL(link, window.location.origin);
  } catch {
    return link;
  }
  return url.pathname.startsWith(ownFiles) ? `${url.pathname}${url.search}` : link;
}
