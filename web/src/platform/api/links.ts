const apiFilesPath = '/api/files/';

/** The ZIP of the photos that a token stands for. */
export const zipPath = (token: string): string => `/api/face/download/${encodeURIComponent(token)}.zip`;

/**
 * The server builds links to its files with its public URL. They are rewritten to the page's origin, so that they also
 * work under another host name: a phone in the local network, a tunnel, a preview. Links to an object store are left
 * unchanged.
 */
export function sameOrigin(link: string): string {
  let url: URL;
  try {
    url = new URL(link, window.location.origin);
  } catch {
    return link;
  }
  return url.pathname.startsWith(apiFilesPath) ? `${url.pathname}${url.search}` : link;
}
