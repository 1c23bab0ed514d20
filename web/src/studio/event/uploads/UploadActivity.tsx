import { useUploads } from './context';
import { isStopped, isUploading } from './queue';
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
