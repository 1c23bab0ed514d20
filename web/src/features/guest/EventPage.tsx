import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { FindYourPhotos } from './FindYourPhotos';
import { EventPageSkeleton } from './EventPageSkeleton';
import { eventQuery } from './queries';

function EventBySlug({ slug }: { slug: string }) {
  const event = useQuery(eventQuery(slug));
  // Keep the loaded event if a later refetch fails, so that the guest does not lose the results.
  if (event.data !== undefined) return <FindYourPhotos event={event.data} slug={slug} />;
  if (event.isError) return <Navigate to="/" replace />;
  return <EventPageSkeleton slug={slug} />;
}

/** The event page of the guests. */
export default function EventPage() {
  const { slug = '' } = useParams();
  return <EventBySlug key={slug} slug={slug} />;
}
