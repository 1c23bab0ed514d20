/** Most photos a share sheet takes at a time: phones choke on more. */
export const shareLimit = 25;

function clickLink(href: string, download: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = download;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Hands a file of the server's to the browser's own downloads, under the name the server gives it. */
export const startDownload = (path: string): void => clickLink(path, '');

/** Saves bytes as a file of that name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  clickLink(url, name);
  // The browser reads the bytes after the click; a minute is more than it takes.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Whether this device has a share sheet that takes pictures. */
export function canShareFiles(): boolean {
  if (typeof navigator.canShare !== 'function') return false;
  const probe = new File([''], 'photo.jpg', { type: 'image/jpeg' });
  return navigator.canShare({ files: [probe] });
}

/** A phone or tablet: fingers, no pointer. */
export const isHandheld = (): boolean => window.matchMedia('(hover: none) and (pointer: coarse)').matches;

/** iPhones, iPads and iPods; an iPad calls itself a Mac. */
export const isApplePhone = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** How all photos are saved at one tap. */
export type BulkWay = 'zip' | 'share' | 'one by one';

/**
 * Phones get the ZIP where the server has one. iPhones refuse the second file of a run, so there the share sheet
 * stands in; everybody else saves one by one.
 */
export function bulkWay(offers: { zip: boolean; share: boolean }): BulkWay {
  if (offers.zip && isHandheld()) return 'zip';
  if (offers.share && isApplePhone()) return 'share';
  return 'one by one';
}
