import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { FindYourPhotos } from './FindYourPhotos';
import { LoadingEvent } from './LoadingEvent';
import { eventQuery } from './queries';

function EventBySlug({ slug }: { slug: string }) {
  const event = useQuery(eventQuery(slug));
  // What was loaded once stays: a look at the event that fails later sends nobody away from their photos.
  if (event.data !== undefined) return <FindYourPhotos event={event.data} slug={slug} />;
  if (event.isError) return <Navigate to="/" replace />;
  return <LoadingEvent slug={slug} />;
}

/** The guest's page: an event, a selfie, and the photos the guest is in. */
export default function EventPage() {
  const { slug = '' } = useParams();
  return <EventBySlug key={slug} slug={slug} />;
}
