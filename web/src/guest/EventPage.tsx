import { useEffect, useState } from 'react';
import { leaveMissingEvent } from '../platform/missingEvent';
import { pinOf, removePin, useLocked } from './pin/access';
import { PinView } from './pin/PinView';
import { useOwnAccess } from './pin/useOwnAccess';
import { EventPageSkeleton } from './EventPageSkeleton';
import { FindYourPhotos } from './FindYourPhotos';
import type { PublicEvent } from '../platform/api/types';
import { useAccent } from './Studio';
import { useEvent } from './useEvent';
import { useFocusHeadingOnChange } from './useFocusHeadingOnChange';

/** The event page of the guests. */
export default function EventPage({
  slug,
  known = null,
  onMissing = leaveMissingEvent,
}: {
  slug: string;
  /** The event as the document has it. */
  known?: PublicEvent | null;
  /** There is no such event. */
  onMissing?: () => void;
}) {
  const { event, missing, failures, late, askAgain } = useEvent(slug, known);
  useAccent(event?.studio?.accent);
  const gone = missing && event === null;
  const [pin] = useState(() => pinOf(window.location));
  useEffect(() => {
    if (pin !== null) removePin();
  }, [pin]);
  const locked = useLocked(slug, event?.asks_pin === true);
  const entering = useOwnAccess(slug, locked ? (event?.id ?? null) : null);
  useFocusHeadingOnChange(locked ? 'locked' : 'open');
  useEffect(() => {
    if (gone) onMissing();
  }, [gone, onMissing]);
  if (event !== null && locked && !entering)
    return <PinView event={event} slug={slug} pin={pin} onOpen={askAgain} />;
  if (event !== null && !locked) return <FindYourPhotos event={event} slug={slug} />;
  const problem = gone ? null : failures > 0 ? 'failed' : late ? 'late' : null;
  return <EventPageSkeleton slug={slug} problem={problem} onRetry={askAgain} />;
}
