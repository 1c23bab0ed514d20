import type { Photo } from '../../../platform/api/types';
import type { PhotoPage } from './photos';

/** The photos of a list as far as they are loaded: in its order and without gaps, but for those that are apart. */
export interface Gallery {
  readonly photos: readonly Photo[];
  /** Those at the end that have moved behind `nextCursor`, as hearts move them: they stay, and where they stand is not known. */
  readonly apart: ReadonlySet<string>;
  /** The cursor of the photos that follow; null at the end. */
  readonly nextCursor: string | null;
  /** The number of photos of the event, loaded or not. */
  readonly total: number;
  /** How many of them are left where of photos that are alike the best alone counts; null where that is not known. */
  readonly moments: number | null;
  /** The photos that came after the gallery was loaded, until they are admitted. */
  readonly arrivals: ReadonlySet<string>;
  /** The number of refreshes so far. */
  readonly refreshes: number;
  /** When all photos before `nextCursor` were fetched with their links, or the oldest of them, in milliseconds. */
  readonly linkedAt: number;
}

const none: ReadonlySet<string> = new Set();

export const galleryOf = ({ photos, next_cursor, total_count, moments }: PhotoPage): Gallery => ({
  photos,
  apart: none,
  nextCursor: next_cursor ?? null,
  total: total_count,
  moments: moments ?? null,
  arrivals: none,
  refreshes: 0,
  linkedAt: Date.now(),
});

/** Has the next refresh fetch all photos again that are loaded; until then they stay as they are. */
export const outdate = (gallery: Gallery): Gallery => ({ ...gallery, linkedAt: Number.NEGATIVE_INFINITY });

/** The photos before `nextCursor`, without gaps. */
export const linkedPhotos = ({ photos, apart }: Gallery): readonly Photo[] =>
  apart.size === 0 ? photos : photos.filter(({ id }) => !apart.has(id));

/** Appends the page of `nextCursor`. */
export function appendPage(
  gallery: Gallery,
  { photos, next_cursor, total_count, moments }: PhotoPage,
): Gallery {
  const before = linkedPhotos(gallery);
  const known = new Set(before.map(({ id }) => id));
  const linked = [...before, ...photos.filter(({ id }) => !known.has(id))];
  const found = new Set(linked.map(({ id }) => id));
  const apart = gallery.photos.filter(({ id }) => !found.has(id));
  return {
    ...gallery,
    photos: [...linked, ...apart],
    apart: new Set(apart.map(({ id }) => id)),
    nextCursor: next_cursor ?? null,
    total: total_count,
    moments: moments ?? null,
  };
}

export const admitArrivals = (gallery: Gallery): Gallery => ({ ...gallery, arrivals: none });

/** Takes photos out of a gallery. `listed`: all of them are of its list, also those that are not loaded. */
export function removePhotos(gallery: Gallery, ids: readonly string[], listed = false): Gallery {
  const gone = new Set(ids);
  const photos = gallery.photos.filter(({ id }) => !gone.has(id));
  const loaded = gallery.photos.length - photos.length;
  const count = listed && gallery.nextCursor !== null ? gone.size : loaded;
  return { ...gallery, photos, total: Math.max(photos.length, gallery.total - count) };
}

/** Has a photo stand for those that are like it, as the server does. */
export function chooseBest(gallery: Gallery, { id, stack }: Photo): Gallery {
  if (stack == null || !gallery.photos.some((photo) => photo.stack?.id === stack.id)) return gallery;
  const placed = (photo: Photo): Photo => {
    if (photo.stack?.id !== stack.id) return photo;
    const place = photo.id === id ? 0 : photo.stack.place + 1;
    return { ...photo, stack: { id: stack.id, place } };
  };
  return { ...gallery, photos: gallery.photos.map(placed) };
}

/** Of the ids of all photos of a list, in its order, those that come after the loaded ones. */
export function unloadedIds(gallery: Gallery, ids: readonly string[]): readonly string[] {
  if (gallery.nextCursor === null) return [];
  const places = new Map(ids.map((id, place) => [id, place]));
  // The last ones may have come, or gone, since the ids were asked for.
  const last = linkedPhotos(gallery).findLast(({ id }) => places.has(id));
  const following = last === undefined ? ids : ids.slice((places.get(last.id) ?? -1) + 1);
  return gallery.apart.size === 0 ? following : following.filter((id) => !gallery.apart.has(id));
}

export const isProcessing = ({ status }: Photo): boolean => status === 'processing';

/** After which photos a page has to be fetched so that all photos from `from` on that are processing are in one. */
export function pagesWithProcessing(photos: readonly Photo[], from: number, pageSize: number): string[] {
  const after: string[] = [];
  let covered = from;
  for (let index = from; index < photos.length; index += 1) {
    const photo = photos[index];
    const before = photos[index - 1];
    if (photo === undefined || before === undefined || index < covered || !isProcessing(photo)) continue;
    after.push(before.id);
    covered = index + pageSize;
  }
  return after;
}
