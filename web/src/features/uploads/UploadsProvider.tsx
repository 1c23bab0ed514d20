import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { creditsKey } from '../../shared/credits/queries';
import { eventsKey } from '../../shared/events/queries';
import { formatCount } from '../../shared/formats';
import { useNotifications } from '../../shared/notifications/context';
import { useSelectedEvent } from '../../shared/session/selection';
import { lookFor, sendItem } from './calls';
import { measureConnection, untilReached } from './connection';
import { UploadsContext } from './context';
import { LeaveGuard } from './LeaveGuard';
import type { Tally } from './queue';
import { StayAwake } from './StayAwake';
import { createUploader } from './uploader';
import { useCreditWatch } from './useCreditWatch';
import { useUnfinished } from './useUnfinished';

const bannerFor = 5000;

const photosWord = (count: number) => `${formatCount(count)} ${count === 1 ? 'photo' : 'photos'}`;

function summaryOf({ completed, failed, duplicates }: Tally): string {
  const parts = [`${photosWord(completed)} uploaded`];
  if (duplicates > 0) parts.push(`${formatCount(duplicates)} of them already there`);
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  return `${parts.join(', ')}.`;
}

/** Holds the upload queue while the photographer moves between screens. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { notify } = useNotifications();
  const [finishes, setFinishes] = useState<{ count: number; clean: boolean }>({ count: 0, clean: false });
  const [allDone, setAllDone] = useState(false);
  const [uploader] = useState(() =>
    createUploader({ send: sendItem, look: lookFor, measure: measureConnection, reached: untilReached }),
  );

  useEffect(
    () =>
      uploader.onFinished((tally) => {
        const clean = tally.failed === 0;
        notify({ type: clean ? 'upload' : 'error', title: 'Upload Complete', message: summaryOf(tally) });
        setAllDone(clean);
        setFinishes(({ count }) => ({ count: count + 1, clean }));
        for (const queryKey of [eventsKey, creditsKey, ['photos']]) {
          void client.invalidateQueries({ queryKey });
        }
      }),
    [notify, client, uploader],
  );

  useEffect(() => {
    if (!finishes.clean) return undefined;
    const timer = setTimeout(() => setAllDone(false), bannerFor);
    return () => clearTimeout(timer);
  }, [finishes]);

  // The queue belongs to the chosen event.
  const eventId = useSelectedEvent()?.id;
  useCreditWatch(uploader);
  const { unfinished, add, dismiss } = useUnfinished(uploader, eventId);
  const previous = useRef(eventId);
  useEffect(() => {
    if (previous.current !== eventId) uploader.clear();
    previous.current = eventId;
  }, [eventId, uploader]);
  useEffect(() => () => uploader.clear(), [uploader]);

  const uploads = useMemo(
    () => ({ uploader, allDone, unfinished, add, dismiss }),
    [uploader, allDone, unfinished, add, dismiss],
  );
  return (
    <UploadsContext value={uploads}>
      {children}
      <LeaveGuard />
      <StayAwake />
    </UploadsContext>
  );
}
