import { createContext, useContext, useSyncExternalStore } from 'react';
import type { BatchMemory, MissingPhotos } from './batchMemory';
import type { Queue } from './queue';
import type { Uploader } from './uploader';

/** The queue, and the memory of the selected event's batches. */
export interface Uploads extends Pick<BatchMemory, 'add' | 'skipped' | 'remove' | 'dismiss'> {
  uploader: Uploader;
  /** True for 5 s after a batch without failures. */
  allDone: boolean;
  unfinished: MissingPhotos | null;
}

export const UploadsContext = createContext<Uploads | null>(null);

export function useUploads(): Uploads & { queue: Queue } {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error('useUploads must be used within an UploadsProvider');
  const queue = useSyncExternalStore(uploads.uploader.subscribe, uploads.uploader.getSnapshot);
  return { ...uploads, queue };
}
