import { useEffect, useRef, useState } from 'react';
import { leaveMissingEvent } from '../platform/missingEvent';
import { pinOf, removePin, useLocked } from './pin/access';
import { PinView } from './pin/PinView';
import { useOwnAccess } from './pin/useOwnAccess';
import { FindYourPhotos } from './FindYourPhotos';
import { Imported } from './Imported';
import type { PublicEvent } from '../platform/api/types';
import { useAccent } from './Studio';
import { useEvent } from './useEvent';
import { useFocusHeadingOnChange } from './useFocusHeadingOnChange';

// The document has the event where the server could read it.
const importSkeleton = () => import('./EventPageSkeleton');

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
  // What the event is about is told to those who have its PIN.
  const wasLocked = useRef(locked);
  useEffect(() => {
    if (wasLocked.current && !locked) askAgain();
    wasLocked.current = locked;
  }, [locked, askAgain]);
  useEffect(() => {
    if (gone) onMissing();
  }, [gone, onMissing]);
  if (event !== null && locked)
    return <PinView event={event} slug={slug} pin={pin} entering={entering} onOpen={askAgain} />;
  if (event !== null) return <FindYourPhotos event={event} slug={slug} />;
  const problem = gone ? null : failures > 0 ? 'failed' : late ? 'late' : null;
  return <Imported from={importSkeleton} props={{ slug, problem, onRetry: askAgain }} />;
}
