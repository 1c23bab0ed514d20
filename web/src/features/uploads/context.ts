import { createContext, useContext, useSyncExternalStore } from 'react';
import type { UnfinishedBatch } from '../../shared/storage';
import type { Queue } from './queue';
import type { Uploader } from './uploader';

export interface Uploads {
  uploader: Uploader;
  /** True for 5 s after a batch without failures. */
  allDone: boolean;
  /** The unfinished batch of the selected event from an earlier visit; null if there is none. */
  unfinished: UnfinishedBatch | null;
  /** Enqueues files for the selected event; returns how many of them the unfinished batch has already uploaded. */
  add: (files: readonly File[]) => number;
  /** Deletes the unfinished batch. */
  dismiss: () => void;
}

export const UploadsContext = createContext<Uploads | null>(null);

export function useUploads(): Uploads & { queue: Queue } {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error('useUploads must be used within an UploadsProvider');
  const queue = useSyncExternalStore(uploads.uploader.subscribe, uploads.uploader.getSnapshot);
  return { ...uploads, queue };
}
