import type { Match } from '../search/matches';

const extensionOf = (name: string): string => /\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? '';

/** The file name of a photo saved by itself; `position` counts from 1. */
export function singleFileName(match: Match, position: number): string {
  const last = match.s3_key?.split('/').findLast((part) => part !== '');
  if (last === undefined) return `match-${position}.jpg`;
  return extensionOf(last) === '' ? `${last}${extensionOf(match.filename ?? '') || '.jpg'}` : last;
}

/** The file name of the web size of a photo; `position` counts from 1. */
export function webFileName(match: Match, position: number): string {
  const name = singleFileName(match, position);
  return `${name.slice(0, name.length - extensionOf(name).length)}-web.jpg`;
}

const jpegExtensions = new Set(['', '.jpg', '.jpeg']);

/** The file name of a photo in a bulk download, as in the ZIP: other formats than JPEG keep their ending. */
export function bulkFileName(match: Match, position: number): string {
  const extension = extensionOf(match.filename ?? '').toLowerCase();
  return `photo-${position}${jpegExtensions.has(extension) ? '.jpg' : extension}`;
}
