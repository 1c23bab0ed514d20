/*
 * Runs before the shell has come. A guest waits for three things, one after the other: the shell, the event page's
 * code, and the event. Here the second and the third are asked for beside the first.
 */
const slug = /^\/event\/([^/]+)\/?$/.exec(location.pathname)?.[1];
if (slug !== undefined) {
  const event = document.createElement('link');
  Object.assign(event, {
    rel: 'preload',
    as: 'fetch',
    crossOrigin: 'anonymous',
    href: `/api/events/${slug}`,
  });
  document.head.append(event);
  import('./features/guest/EventPage').catch(() => {
    // The router asks for it again, and shows what it gets.
  });
}
