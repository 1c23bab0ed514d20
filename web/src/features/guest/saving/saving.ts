import { isTouchDevice } from '../../../shared/components/isTouchDevice';
import { saveFile } from '../../../shared/components/saveFile';

/** Maximum number of files per share: phones fail with more. */
export const maxShareFiles = 25;

/** Starts a browser download of a path, under the file name that the server sets. */
export const startDownload = (path: string): void => saveFile(path, '');

/** Whether the Web Share API accepts image files. */
export function canShareFiles(): boolean {
  if (typeof navigator.canShare !== 'function') return false;
  const probe = new File([''], 'photo.jpg', { type: 'image/jpeg' });
  return navigator.canShare({ files: [probe] });
}

/** iPhone, iPad or iPod; an iPad reports itself as a Mac. */
export const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** How all photos are downloaded with one tap. */
export type BulkDownloadMethod = 'zip' | 'share' | 'one by one';

/**
 * Phones get the ZIP if the server offers one. iOS blocks the second download of a series, so that the share sheet is
 * used there; all others download one by one.
 */
export function bulkDownloadMethod(offers: { zip: boolean; share: boolean }): BulkDownloadMethod {
  if (offers.zip && isTouchDevice()) return 'zip';
  if (offers.share && isIos()) return 'share';
  return 'one by one';
}
