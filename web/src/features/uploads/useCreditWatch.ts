import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { creditsKey, creditsQuery } from '../../shared/credits/queries';
import type { Uploader } from './uploader';

/** Goes on with a batch that stopped for want of credit once there is more of it, on whatever screen that was bought. */
export function useCreditWatch(uploader: Uploader): void {
  const client = useQueryClient();
  const stopped = useSyncExternalStore(uploader.subscribe, () => uploader.read().outOfCredit);
  const { data, isFetching } = useQuery({ ...creditsQuery(), enabled: stopped });
  /** The balance at which it stopped; null until the server has told it. */
  const floor = useRef<number | null>(null);

  useEffect(() => {
    floor.current = null;
    if (stopped) void client.invalidateQueries({ queryKey: creditsKey });
  }, [client, stopped]);

  const credits = data?.credits;
  useEffect(() => {
    if (!stopped || isFetching || credits === undefined) return;
    floor.current ??= credits;
    // Only a balance that has grown: one that did not cover a photo before does not cover it now.
    if (credits > floor.current) uploader.retry();
  }, [credits, isFetching, stopped, uploader]);
}
