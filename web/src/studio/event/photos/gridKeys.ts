import type { Row } from './justifiedRows';

/** The keys that move through the grid. */
export type GridMove = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export function isGridMove(key: string): key is GridMove {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight':
    case 'ArrowUp':
    case 'ArrowDown':
    case 'Home':
    case 'End':
      return true;
    default:
      return false;
  }
}

/** The photo of a row that is nearest to a place in pixels from the left. */
const nearest = <T>({ photos }: Row<T>, middle: number): T | undefined =>
  photos.reduce<{ photo: T; distance: number } | undefined>((best, { photo, left, width }) => {
    const distance = Math.abs(left + width / 2 - middle);
    return best === undefined || distance < best.distance ? { photo, distance } : best;
  }, undefined)?.photo;

/** Where a key leads from a photo; the photo itself at the edge, undefined if it is not there. */
export function movedTo<T extends { id: string }>(
  rows: readonly Row<T>[],
  id: string,
  move: GridMove,
): T | undefined {
  const index = rows.findIndex(({ photos }) => photos.some(({ photo }) => photo.id === id));
  const row = rows[index];
  const place = row?.photos.find(({ photo }) => photo.id === id);
  if (row === undefined || place === undefined) return undefined;
  const all = () => rows.flatMap(({ photos }) => photos.map(({ photo }) => photo));
  const at = (photos: readonly T[], step: number) =>
    photos[photos.findIndex((photo) => photo.id === id) + step] ?? place.photo;
  switch (move) {
    case 'ArrowLeft':
      return at(all(), -1);
    case 'ArrowRight':
      return at(all(), 1);
    case 'Home':
      return row.photos[0]?.photo;
    case 'End':
      return row.photos.at(-1)?.photo;
    case 'ArrowUp':
    case 'ArrowDown': {
      const other = rows[index + (move === 'ArrowUp' ? -1 : 1)];
      return other === undefined ? place.photo : nearest(other, place.left + place.width / 2);
    }
  }
}

/** A rectangle in the pixels of the grid. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The photos that a rectangle touches, in their order. */
export const touchedBy = <T extends { id: string }>(
  rows: readonly Row<T>[],
  { left, top, right, bottom }: Area,
): string[] =>
  rows
    .filter((row) => row.top <= bottom && row.top + row.height >= top)
    .flatMap(({ photos }) =>
      photos.filter((place) => place.left <= right && place.left + place.width >= left),
    )
    .map(({ photo }) => photo.id);
