// A script within the documents of prerendered pages, which runs before they are painted. It marks a document that is not the one
// for this visitor, who has a session, another language, or something to be told: `main.tsx` renders that anew, and until then it
// is not shown. And it loads the app's scripts, which the document has in a template: after the first paint, so that on a slow
// line they do not share it with what is painted.
(() => {
  const html = document.documentElement;
  const { content } = document.getElementById('scripts');
  // Once: what is moved out of a template is no longer in it, and only a copy runs.
  const load = () => {
    document.head.append(document.importNode(content, true));
    content.replaceChildren();
  };
  try {
    const language = localStorage.getItem('language');
    if (
      localStorage.getItem('token') ||
      sessionStorage.getItem('loginReturn') ||
      (language && language !== html.lang) ||
      (history.state && history.state.usr)
    )
      html.dataset.stale = '';
  } catch {
    // Storage is blocked: nobody is known.
  }
  // Nothing is painted before the scripts have run, or while nobody looks.
  if ('stale' in html.dataset || document.hidden) return load();
  document.addEventListener('DOMContentLoaded', () =>
    // It is told when the frame is on the screen, where the frame after it would begin before that.
    new PerformanceObserver((paints) => {
      if (paints.getEntriesByName('first-contentful-paint').length > 0) load();
    }).observe({ type: 'paint', buffered: true }),
  );
  // Where nothing is painted after all.
  setTimeout(load, 2000);
})();
