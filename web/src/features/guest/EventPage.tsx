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
  const { event, missing, failures, late, askAgain } = useEvent(slug);
  const gone = missing && event === null;
  useEffect(() => {
    if (gone) onMissing();
  }, [gone, onMissing]);
  if (event !== null) return <FindYourPhotos event={event} slug={slug} />;
  const problem = gone ? null : failures > 0 ? 'failed' : late ? 'late' : null;
  return <EventPageSkeleton slug={slug} problem={problem} onRetry={askAgain} />;
}
