// A script within the documents of prerendered pages, which runs before they are painted: it marks a document that is not the one
// for this visitor, who has a session, another language, or something to be told. `main.tsx` renders that anew; until then it
// is not shown.
(() => {
  const html = document.documentElement;
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
})();
