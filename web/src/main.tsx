import { i18n } from '@lingui/core';
import { type ReactNode, startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes } from 'react-router';
import { App } from './app/App';
import { isDemoPath } from './app/demo/path';
import { startSectionLanguage } from './app/language';
import { isInitialized } from './app/prerendered/isInitialized';
import { routes } from './app/routes';
import { sectionOf } from './app/sections';
import { UnloadedPage } from './ui/UnloadedPage';
import { AfterglowTheme } from './ui/theme/AfterglowTheme';

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no element #root');
const { pathname } = window.location;
const { lang, dataset } = document.documentElement;
/** The build has rendered this page, and `tools/mark.js` has not found that it is another one for this visitor. */
const prerendered = container.hasChildNodes() && dataset['stale'] === undefined;

function render(page: ReactNode): void {
  container?.replaceChildren();
  delete dataset['stale'];
  if (container !== null) createRoot(container).render(page);
}

async function start(): Promise<void> {
  if (isDemoPath(pathname)) {
    // The demo is a document of its own, so that it shares neither session nor server with the rest of the app.
    await startSectionLanguage('admin');
    const Demo = (await import('./app/demo/DemoApp')).startDemo();
    render(
      <StrictMode>
        <Demo />
      </StrictMode>,
    );
    return;
  }
  // The code of the screen is fetched while the messages are; the router, which asks for it too, says what failed.
  for (const { route } of matchRoutes(routes, pathname) ?? [])
    if (typeof route.lazy === 'function') route.lazy().catch(() => undefined);
  // Texts are evaluated when they are rendered: the messages come before.
  await startSectionLanguage(sectionOf(pathname));
  const router = createBrowserRouter(routes);
  const page = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  );
  if (prerendered && lang === i18n.locale && (await isInitialized(router, pathname)))
    // A transition is rendered in slices, between which the page answers.
    startTransition(() => void hydrateRoot(container as Element, page));
  else render(page);
}

start().catch(() =>
  render(
    <AfterglowTheme>
      <UnloadedPage />
    </AfterglowTheme>,
  ),
);
