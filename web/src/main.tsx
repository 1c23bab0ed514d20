import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { isDemoPath } from './app/demo/path';
import { startSectionLanguage } from './app/language';
import { sectionOf } from './app/sections';
import { UnloadedPage } from './ui/UnloadedPage';
import { AfterglowTheme } from './ui/theme/AfterglowTheme';

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no element #root');
const root = createRoot(container);
const { pathname } = window.location;

/** The demo is a document of its own, so that it shares neither session nor server with the rest of the app. */
async function loadRoot(): Promise<ComponentType> {
  if (!isDemoPath(pathname)) return App;
  const { startDemo } = await import('./app/demo/DemoApp');
  return startDemo();
}

// Texts are evaluated when they are rendered: the messages come before.
const language = startSectionLanguage(isDemoPath(pathname) ? 'admin' : sectionOf(pathname));
language.then(loadRoot).then(
  (Root) =>
    root.render(
      <StrictMode>
        <Root />
      </StrictMode>,
    ),
  () =>
    root.render(
      <AfterglowTheme>
        <UnloadedPage />
      </AfterglowTheme>,
    ),
);
