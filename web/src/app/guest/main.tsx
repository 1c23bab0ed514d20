/**
 * The entry of an event's page, which is a document of its own: guests load neither the admin screens nor what these are
 * built with.
 */
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'virtual:theme.css';
import { slugOfPage } from '../../guest/pin/access';
import { UnloadedPage } from '../../ui/UnloadedPage';
import '../../ui/theme/fonts.css';
import '../../ui/theme/scripts.css';
import { showFonts } from '../../ui/theme/startFonts';
import './base.css';
import { GuestApp } from './GuestApp';
import { fontsStarted, languageStarted } from './startLanguage';

const container = document.getElementById('root');
if (container === null) throw new Error('event.html has no element #root');
const root = createRoot(container);
const slug = slugOfPage();

Promise.all([languageStarted, fontsStarted])
  .then(
    // In slices: the event is on the screen already.
    () =>
      startTransition(() =>
        root.render(
          <StrictMode>
            <GuestApp slug={slug} />
          </StrictMode>,
        ),
      ),
    () => root.render(<UnloadedPage />),
  )
  // After the first paint.
  .finally(
    () => void requestAnimationFrame(() => void setTimeout(() => void showFonts().catch(() => undefined))),
  );
