import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { creditsKey, creditsQuery } from '../../shared/credits/credits';
import { type Queue, unfinishedFiles } from './queue';
import type { Uploader } from './uploader';

/** Whether all that the server may have already is known, so that what is left is what it costs. */
const isCounted = ({ items, coming, lookupsStalled }: Queue): boolean =>
  coming === 0 && (lookupsStalled || !items.some(({ awaitsLookup }) => awaitsLookup));

/**
 * Resumes a batch that stopped for lack of credits once the balance has grown, whichever screen bought them, and one that was
 * held up for it once what is left of it is covered.
 */
export function useResumeOnCredit(uploader: Uploader): void {
  const client = useQueryClient();
  const queue = useSyncExternalStore(uploader.subscribe, uploader.getSnapshot);
  const stopped = queue.outOfCredit;
  const { data, isFetching } = useQuery({ ...creditsQuery(), enabled: stopped || queue.overCredit });
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

  const covered =
    queue.overCredit && credits !== undefined && isCounted(queue) && unfinishedFiles(queue) <= credits;
  useEffect(() => {
    if (covered) uploader.resume();
  }, [covered, uploader]);
}
