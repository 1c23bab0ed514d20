import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { messages } from '../locales/en/site.po';
import { App } from './app/App';
import { isDemoPath } from './app/demo/path';
import { activateLanguage } from './shared/i18n/activateLanguage';
import { english } from './shared/i18n/languages';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element #root');

activateLanguage(english, messages);

function show(Root: ComponentType): void {
  createRoot(root as HTMLElement).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  );
}

// The demo is a document of its own, so that it shares neither session nor server with the rest of the app.
if (isDemoPath(window.location.pathname)) {
  void import('./app/demo/DemoApp').then(({ startDemo }) => show(startDemo()));
} else {
  show(App);
}
