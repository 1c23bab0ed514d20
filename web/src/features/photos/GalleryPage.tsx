import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { Alert } from '../../shared/components/Alert';
import { EventScreen } from '../../shared/events/EventScreen';
import { eventQuery } from '../../shared/events/queries';
import { useSession } from '../../shared/session/session';
import { EventGallery } from './EventGallery';

function EventNotLoaded({ id }: { id: string }) {
  const lookup = useQuery(eventQuery(useSession(), id));
  if (!lookup.isLoadingError) return null;
  return (
    <Box sx={{ p: 4 }}>
      <Alert tone="error">{t`Failed to load events. Please try again.`}</Alert>
    </Box>
  );
}

export default function GalleryPage() {
  return (
    <EventScreen
      title={t`Gallery`}
      description={t`Choose the event in the bar above, or here, to see its photos.`}
    >
      {(event) => (
        <>
          <EventNotLoaded id={event.id} />
          <EventGallery event={event} />
        </>
      )}
    </EventScreen>
  );
}
