import { useUploads } from './context';
import { isUploading } from './queue';
import { isStopped } from './queueHolds';
import { useLiveFigures } from './useLiveFigures';
import { useWakeLock } from './useWakeLock';

/**
 * While photos are uploading, but not while the queue waits for the photographer: holds a wake lock, and refreshes the
 * figures that uploads change.
 */
export function UploadActivity() {
  const { queue } = useUploads();
  const active = isUploading(queue) && !isStopped(queue);
  useWakeLock(active);
  useLiveFigures(active && !queue.disconnected);
  return null;
}
