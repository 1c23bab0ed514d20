import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { creditsKey, creditsQuery } from '../../shared/credits/credits';
import type { Uploader } from './uploader';

/** Resumes a batch that stopped for lack of credits once the balance has grown, whichever screen bought them. */
export function useResumeOnCredit(uploader: Uploader): void {
  const client = useQueryClient();
  const stopped = useSyncExternalStore(uploader.subscribe, () => uploader.getSnapshot().outOfCredit);
  const { data, isFetching } = useQuery({ ...creditsQuery(), enabled: stopped });
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
}
