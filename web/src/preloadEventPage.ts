/*
 * A separate entry that runs before the main bundle has loaded. Without it a guest waits for three requests in sequence:
 * the main bundle, the event page's chunk, and the event. Here the second and the third start in parallel with the first.
 */
const slug = /^\/event\/([^/]+)\/?$/.exec(location.pathname)?.[1];
if (slug !== undefined) {
  const link = document.createElement('link');
  Object.assign(link, {
    rel: 'preload',
    as: 'fetch',
    crossOrigin: 'anonymous',
    href: `/api/events/${slug}`,
  });
  document.head.append(link);
  import('./features/guest/EventPage').catch(() => {
    // The router imports it again and handles the error.
  });
}
