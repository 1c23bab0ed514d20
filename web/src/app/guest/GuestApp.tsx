import { i18n } from '@lingui/core';
import { useState } from 'react';
import { type BarTone, BarToneContext } from '../../ui/barTone';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import EventPage from '../../guest/EventPage';
import { linkedPageOf } from '../../guest/linkedPage';
import { LinkedPageView } from '../../guest/LinkedPageView';
import { embeddedEvent } from './embeddedEvent';
import { GuestBar } from './GuestBar';
import { PageBoundary } from './PageBoundary';

/** The document of an event: a bar, the page, and its messages. */
export function GuestApp({ slug }: { slug: string }) {
  const [known] = useState(() => embeddedEvent(slug));
  const [link] = useState(() => linkedPageOf(window.location));
  const [tone, setTone] = useState<BarTone | null>(null);
  const [language, setLanguage] = useState(i18n.locale);
  return (
    <SnackbarProvider>
      <BarToneContext value={setTone}>
        <GuestBar
          tone={tone ?? 'sky'}
          studio={known?.studio}
          maker={known?.made_with}
          onLanguage={setLanguage}
        />
        <PageBoundary>
          {/* Texts that are kept in states are those of the language in which they were made. Results are restored. */}
          {link === null ? (
            <EventPage key={language} slug={slug} known={known} />
          ) : (
            <LinkedPageView key={language} slug={slug} link={link} />
          )}
        </PageBoundary>
      </BarToneContext>
    </SnackbarProvider>
  );
}
