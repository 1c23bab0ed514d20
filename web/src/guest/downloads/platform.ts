import { isTouchDevice } from '../../ui/isTouchDevice';
import type { Match } from '../search/matches';

/** iPhone, iPad or iPod; an iPad reports itself as a Mac. */
export const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** Whether the Web Share API accepts image files. */
export function canShareFiles(): boolean {
  if (typeof navigator.canShare !== 'function') return false;
  const probe = new File([''], 'photo.jpg', { type: 'image/jpeg' });
  return navigator.canShare({ files: [probe] });
}

/** What one share may have at most. */
export interface ShareLimit {
  files: number;
  bytes: number;
}

/**
 * Safari has no limits, but iPhones save no more than 25 photos at a time, and their memory is small; Chromium rejects
 * more than 10 files or 50 MiB.
 */
export const shareLimit = (): ShareLimit =>
  isIos() ? { files: 25, bytes: 150 * 1_048_576 } : { files: 10, bytes: 50 * 1_048_576 };

/** Largest photo in bytes that is held in memory to be saved. */
export const memoryLimit = 64 * 1_048_576;

/** The number of photos, from the first, that fit into one share; at least one. */
export function shareBatchSize(matches: readonly Match[], { files, bytes }: ShareLimit): number {
  let total = 0;
  const end = matches.slice(0, files).findIndex(({ size_bytes }) => {
    total += size_bytes ?? 0;
    return total > bytes;
  });
  return Math.max(1, end < 0 ? Math.min(files, matches.length) : end);
}

/**
 * How a page saves photos: `file` fetches and saves them by itself, with progress. `share` fetches them for the share
 * sheet, which is the only way into the photo library of an iPhone. `leave` shows the way to another browser: in-app
 * browsers save nothing.
 */
export type SavingMethod = 'file' | 'share' | 'leave';

export function savingMethod(inApp: boolean): SavingMethod {
  if (inApp) return 'leave';
  return isIos() && canShareFiles() ? 'share' : 'file';
}

/** How all photos are saved with one tap. */
export type BulkSavingMethod = 'zip' | 'share' | 'leave' | 'one by one';

/** Phones drop the second download of a series: iPhones share, others get the ZIP if the server offers one. */
export function bulkSavingMethod(method: SavingMethod, zip: boolean): BulkSavingMethod {
  if (method !== 'file') return method;
  return zip && isTouchDevice() ? 'zip' : 'one by one';
}
