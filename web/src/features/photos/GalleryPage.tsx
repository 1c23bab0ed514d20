import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { Alert } from '../../shared/components/Alert';
import { EventScreen } from '../../shared/events/EventScreen';
import { eventsQuery } from '../../shared/events/queries';
import { useSession } from '../../shared/session/session';
import { EventGallery } from './EventGallery';

export default function GalleryPage() {
  const events = useQuery(eventsQuery(useSession()));
  return (
    <EventScreen
      title={t`Gallery`}
      description={t`Choose the event in the bar above, or here, to see its photos.`}
    >
      {(event) => (
        <>
          {events.isLoadingError && (
            <Box sx={{ p: 4 }}>
              <Alert tone="error">{t`Failed to load events. Please try again.`}</Alert>
            </Box>
          )}
          <EventGallery event={event} />
        </>
      )}
    </EventScreen>
  );
}
