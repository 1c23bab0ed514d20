import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { createBatchMemory } from './batchMemory';
import type { Uploader } from './uploader';

const subscribeToNothing = () => () => undefined;

/** The memory of the selected event's batches. */
export function useBatchMemory(uploader: Uploader, eventId: string | undefined) {
  const memory = useMemo(
    () => (eventId === undefined ? null : createBatchMemory(uploader, eventId)),
    [uploader, eventId],
  );
  useEffect(() => memory?.start(), [memory]);
  const unfinished = useSyncExternalStore(
    memory?.subscribe ?? subscribeToNothing,
    () => memory?.getSnapshot() ?? null,
  );
  return useMemo(
    () => ({
      unfinished,
      add: (files: readonly File[]) => memory?.add(files) ?? 0,
      skipped: () => memory?.skipped() ?? [],
      remove: (ids: readonly string[]) => memory?.remove(ids),
      dismiss: () => memory?.dismiss(),
    }),
    [memory, unfinished],
  );
}
