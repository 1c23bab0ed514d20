import { useState } from 'react';
import { type BarTone, BarToneContext } from '../../shared/components/barTone';
import { SnackbarProvider } from '../../shared/components/SnackbarProvider';
import EventPage from '../../features/guest/EventPage';
import { GuestBar } from './GuestBar';

/** The document of an event: a bar, the page, and its messages. */
export function GuestApp({ slug }: { slug: string }) {
  const [tone, setTone] = useState<BarTone | null>(null);
  return (
    <SnackbarProvider>
      <BarToneContext value={setTone}>
        <GuestBar tone={tone ?? 'sky'} />
        <EventPage slug={slug} />
      </BarToneContext>
    </SnackbarProvider>
  );
}
