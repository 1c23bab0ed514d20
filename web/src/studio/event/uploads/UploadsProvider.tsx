import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { creditsKey } from '../../shared/credits/credits';
import { eventsKey, loadedEvent } from '../../shared/events/events';
import { useNotifications } from '../../shared/notifications/context';
import { useSelectedEvent } from '../../../platform/session/selection';
import { findKnownPhotos, findStoredPhoto, findVersions, uploadItem } from './uploads';
import { summaryOf } from './batchSummary';
import { measureConnection, waitUntilReachable } from './connection';
import { UploadsContext } from './context';
import { UploadNavigationBlocker } from './UploadNavigationBlocker';
import { UploadsStrip } from './UploadsStrip';
import { UploadActivity } from './UploadActivity';
import { createHasher } from './hashing';
import { createUploader } from './uploader';
import { useBatchMemory } from './useBatchMemory';
import { useResumeOnCredit } from './useResumeOnCredit';

const bannerDuration = 5000;

/** Provides the upload queue, which keeps running while the photographer navigates between screens. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { notify } = useNotifications();
  const [finishedBatches, setFinishedBatches] = useState<{ count: number; allSucceeded: boolean }>({
    count: 0,
    allSucceeded: false,
  });
  const [allDone, setAllDone] = useState(false);
  const [hasher] = useState(() => createHasher());
  const [uploader] = useState(() => {
    const mayHavePhotos = (eventId: string | null) =>
      eventId === null || loadedEvent(client, eventId)?.total_photos_uploaded !== 0;
    return createUploader({
      upload: uploadItem,
      findStored: findStoredPhoto,
      measure: measureConnection,
      waitUntilReachable,
      lookups: hasher && { hasher, findKnown: findKnownPhotos, mayHavePhotos },
      versions: { find: findVersions, mayHavePhotos },
    });
  });

  useEffect(
    () =>
      uploader.onBatchFinished((stats) => {
        const allSucceeded = stats.failed === 0;
        notify({
          type: allSucceeded ? 'upload' : 'error',
          title: t`Upload Complete`,
          message: summaryOf(stats),
        });
        setAllDone(allSucceeded);
        setFinishedBatches(({ count }) => ({ count: count + 1, allSucceeded }));
        for (const queryKey of [eventsKey, creditsKey, ['photos']]) {
          void client.invalidateQueries({ queryKey });
        }
      }),
    [notify, client, uploader],
  );

  useEffect(() => {
    if (!finishedBatches.allSucceeded) return undefined;
    const timer = setTimeout(() => setAllDone(false), bannerDuration);
    return () => clearTimeout(timer);
  }, [finishedBatches]);

  // The queue belongs to the selected event.
  const eventId = useSelectedEvent()?.id;
  useResumeOnCredit(uploader);
  const memory = useBatchMemory(uploader, eventId);
  const previousEventId = useRef(eventId);
  useEffect(() => {
    if (previousEventId.current !== eventId) uploader.clear();
    previousEventId.current = eventId;
  }, [eventId, uploader]);
  useEffect(() => () => uploader.clear(), [uploader]);

  const uploads = useMemo(() => ({ uploader, allDone, ...memory }), [uploader, allDone, memory]);
  return (
    <UploadsContext value={uploads}>
      <UploadsStrip />
      {children}
      <UploadNavigationBlocker />
      <UploadActivity />
    </UploadsContext>
  );
}
