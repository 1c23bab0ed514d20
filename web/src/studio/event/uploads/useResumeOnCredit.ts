import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { creditsKey, creditsQuery } from '../../shared/credits/credits';
import type { Queue } from './queue';
import { filesToPay, isExpectedThere } from './queueHolds';
import { isHeldForVersions } from './versions';
import type { Uploader } from './uploader';

/**
 * What a batch that is held up costs at most; null for any other, and until all that the server may have already is known, and
 * which files are edited versions.
 */
function costOfHeld(queue: Queue): number | null {
  const { items, coming, overCredit, lookupsStalled } = queue;
  if (!overCredit || coming > 0 || isHeldForVersions(queue)) return null;
  const isOpen = items.some((item) => item.awaitsLookup && !isExpectedThere(item));
  return lookupsStalled || !isOpen ? filesToPay(queue) : null;
}

/**
 * Resumes a batch that stopped for lack of credits once the balance has grown, whichever screen bought them, and one that was
 * held up for it once what is left of it is covered, or the balance cannot be learned: the server refuses what is not covered.
 */
export function useResumeOnCredit(uploader: Uploader): void {
  const client = useQueryClient();
  const stopped = useSyncExternalStore(uploader.subscribe, () => uploader.getSnapshot().outOfCredit);
  const held = useSyncExternalStore(uploader.subscribe, () => uploader.getSnapshot().overCredit);
  const cost = useSyncExternalStore(uploader.subscribe, () => costOfHeld(uploader.getSnapshot()));
  const { data, isError, isFetching } = useQuery({ ...creditsQuery(), enabled: stopped || held });
  /** The balance when the batch stopped; null until it is loaded. */
  const balanceWhenStopped = useRef<number | null>(null);

  useEffect(() => {
    balanceWhenStopped.current = null;
    if (stopped) void client.invalidateQueries({ queryKey: creditsKey });
  }, [client, stopped]);

  const credits = data?.credits;
  useEffect(() => {
    if (!stopped || isFetching || credits === undefined) return;
    balanceWhenStopped.current ??= credits;
    // Only if the balance has grown: the same balance would not cover a photo either.
    if (credits > balanceWhenStopped.current) uploader.retry('credit');
  }, [credits, isFetching, stopped, uploader]);

  const resumes = cost !== null && (credits === undefined ? isError : cost <= credits);
  useEffect(() => {
    if (resumes) uploader.resume();
  }, [resumes, uploader]);
}
