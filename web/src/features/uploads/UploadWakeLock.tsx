import { useUploads } from './context';
import { isUploading } from './queue';
import { useWakeLock } from './useWakeLock';

/** Holds a wake lock while photos are uploading, but not while the queue waits for the photographer. */
export function UploadWakeLock() {
  const { queue } = useUploads();
  useWakeLock(isUploading(queue) && !queue.paused && !queue.outOfCredit);
  return null;
}
