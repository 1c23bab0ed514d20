import type { Match } from '../search/matches';

const extensionOf = (name: string): string => /\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? '';
const stemOf = (name: string): string => name.slice(0, name.length - extensionOf(name).length);

/** By what a guest tells the photographer which photo is meant: the gallery finds a file by a part of its name. */
export const shortName = (match: Match): string => stemOf(match.filename ?? '');

/** The file name of a photo saved by itself; `position` counts from 1. */
export function singleFileName(match: Match, position: number): string {
  if (match.save_as !== undefined) return match.save_as;
  const last = match.s3_key?.split('/').findLast((part) => part !== '');
  if (last === undefined) return `match-${position}.jpg`;
  return extensionOf(last) === '' ? `${last}${extensionOf(match.filename ?? '') || '.jpg'}` : last;
}

/** The file name of the web size of a photo; `position` counts from 1. */
export function webFileName(match: Match, position: number): string {
  const name = singleFileName(match, position);
  return match.save_as === undefined ? `${stemOf(name)}-web.jpg` : `${stemOf(name)}.jpg`;
}

// Some systems tell neither cases nor ways to write accents apart.
const compared = (name: string): string => name.toLowerCase().normalize();

/** The photos with the names of the photographer's files to save them by, as in the ZIP: safe on every system, none twice. */
export function ownNames(matches: readonly Match[], isJpeg: boolean): Match[] {
  const taken = new Set<string>();
  return matches.map((match) => {
    const clean = (match.filename ?? 'photo.jpg').replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '');
    const ending = isJpeg ? '.jpg' : extensionOf(clean) || '.jpg';
    const stem = stemOf(clean) || 'photo';
    let name = `${stem}${ending}`;
    for (let number = 2; taken.has(compared(name)); number += 1) name = `${stem} (${number})${ending}`;
    taken.add(compared(name));
    return { ...match, save_as: name };
  });
}

const jpegExtensions = new Set(['', '.jpg', '.jpeg']);

/** The file name of a photo in a bulk download, as in the ZIP: other formats than JPEG keep their ending. */
export function bulkFileName(match: Match, position: number): string {
  if (match.save_as !== undefined) return match.save_as;
  const extension = extensionOf(match.filename ?? '').toLowerCase();
  return `photo-${position}${jpegExtensions.has(extension) ? '.jpg' : extension}`;
}
