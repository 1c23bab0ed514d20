import { createContext, useContext, useSyncExternalStore } from 'react';
import type { UnfinishedBatch } from '../../shared/storage';
import type { Queue } from './queue';
import type { Uploader } from './uploader';

export interface Uploads {
  uploader: Uploader;
  /** True for 5 s after a batch in which nothing failed. */
  allDone: boolean;
  /** A batch of the chosen event that an earlier visit left unfinished; null when there is none. */
  unfinished: UnfinishedBatch | null;
  /** Queues files for the chosen event; answers how many of them the unfinished batch has done already. */
  add: (files: readonly File[]) => number;
  /** Forgets the unfinished batch. */
  dismiss: () => void;
}

export const UploadsContext = createContext<Uploads | null>(null);

export function useUploads(): Uploads & { queue: Queue } {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error('useUploads needs an UploadsProvider above it');
  const queue = useSyncExternalStore(uploads.uploader.subscribe, uploads.uploader.read);
  return { ...uploads, queue };
}
