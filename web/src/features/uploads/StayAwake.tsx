import { useUploads } from './context';
import { isUploading } from './queue';
import { useWakeLock } from './useWakeLock';

/** Keeps the device awake while photos travel; a queue that waits for the photographer lets it sleep. */
export function StayAwake() {
  const { queue } = useUploads();
  useWakeLock(isUploading(queue) && !queue.paused && !queue.outOfCredit);
  return null;
}
