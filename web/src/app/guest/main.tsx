/**
 * The entry of an event's page, which is a document of its own: guests load neither the admin screens nor what these are
 * built with.
 */
import '@fontsource-variable/familjen-grotesk/wght.css';
import '@fontsource-variable/instrument-sans/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'virtual:theme.css';
import '../../shared/theme/fonts.css';
import './base.css';
import { GuestApp } from './GuestApp';

const root = document.getElementById('root');
if (root === null) throw new Error('event.html has no element #root');
const slug = /^\/event\/([^/]+)\/?$/.exec(window.location.pathname)?.[1] ?? '';
createRoot(root).render(
  <StrictMode>
    <GuestApp slug={decodeURIComponent(slug)} />
  </StrictMode>,
);
