import { useEffect } from 'react';
import { leaveMissingEvent } from '../../shared/events/missingEvent';
import { EventPageSkeleton } from './EventPageSkeleton';
import { FindYourPhotos } from './FindYourPhotos';
import { useEvent } from './useEvent';

/** The event page of the guests. */
export default function EventPage({
  slug,
  onMissing = leaveMissingEvent,
}: {
  slug: string;
  /** There is no such event. */
  onMissing?: () => void;
}) {
  const { event, missing, failures, askAgain } = useEvent(slug);
  const gone = missing && event === null;
  useEffect(() => {
    if (gone) onMissing();
  }, [gone, onMissing]);
  if (event !== null) return <FindYourPhotos event={event} slug={slug} />;
  return <EventPageSkeleton slug={slug} onRetry={failures > 0 && !gone ? askAgain : undefined} />;
}
