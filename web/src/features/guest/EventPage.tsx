import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { eventMissing } from '../../shared/events/missingEvent';
import { EventPageSkeleton } from './EventPageSkeleton';
import { FindYourPhotos } from './FindYourPhotos';
import { eventQuery, isMissing } from './queries';

function EventBySlug({ slug }: { slug: string }) {
  const event = useQuery(eventQuery(slug));
  // Keep the loaded event if a later refetch fails, so that the guest does not lose the results.
  if (event.data !== undefined) return <FindYourPhotos event={event.data} slug={slug} />;
  if (isMissing(event.error)) return <Navigate to="/" replace state={eventMissing} />;
  const failed = event.errorUpdateCount > 0;
  return <EventPageSkeleton slug={slug} onRetry={failed ? () => void event.refetch() : undefined} />;
}

/** The event page of the guests. */
export default function EventPage() {
  const { slug = '' } = useParams();
  return <EventBySlug key={slug} slug={slug} />;
}
