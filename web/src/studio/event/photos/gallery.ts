import type { Photo } from '../../../platform/api/types';
import type { PhotoPage } from './photos';

/** The photos of an event as far as they are loaded: newest first, without gaps. */
export interface Gallery {
  readonly photos: readonly Photo[];
  /** The cursor of the next older photos; null at the end. */
  readonly nextCursor: string | null;
  /** The number of photos of the event, loaded or not. */
  readonly total: number;
  /** How many of them are left where of photos that are alike the best alone counts; null where that is not known. */
  readonly moments: number | null;
  /** The photos that came after the gallery was loaded, until they are admitted. */
  readonly arrivals: ReadonlySet<string>;
  /** The number of refreshes so far. */
  readonly refreshes: number;
}

const noArrivals: ReadonlySet<string> = new Set();

export const galleryOf = ({ photos, next_cursor, total_count, moments }: PhotoPage): Gallery => ({
  photos,
  nextCursor: next_cursor ?? null,
  total: total_count,
  moments: moments ?? null,
  arrivals: noArrivals,
  refreshes: 0,
});

/** Appends the page of `nextCursor`. */
export function appendPage(
  gallery: Gallery,
  { photos, next_cursor, total_count, moments }: PhotoPage,
): Gallery {
  const known = new Set(gallery.photos.map(({ id }) => id));
  return {
    ...gallery,
    photos: [...gallery.photos, ...photos.filter(({ id }) => !known.has(id))],
    nextCursor: next_cursor ?? null,
    total: total_count,
    moments: moments ?? null,
  };
}

/** The links of a photo are signed anew in every answer; they are no change. */
const comparable = (photo: Photo) =>
  JSON.stringify({ ...photo, url: null, thumbnail_url: (photo.thumbnail_url ?? null) !== null });

/** A photo that did not change stays the same object, so that nothing that shows it renders again. */
const reuse = (before: Photo | undefined, now: Photo): Photo =>
  before !== undefined && comparable(before) === comparable(now) ? before : now;

/**
 * Replaces the photos that follow `after` (null: from the newest on) by a page fetched anew: photos that are missing in
 * it are gone, unknown ones before a known one have arrived. `joined` is false if the page has no known photo, so that
 * others may be missing between the page and the photos known.
 */
export function replacePage(
  gallery: Gallery,
  after: string | null,
  { photos: fetched, next_cursor, total_count, moments }: PhotoPage,
): { gallery: Gallery; joined: boolean } {
  const { photos } = gallery;
  const start = after === null ? 0 : photos.findIndex(({ id }) => id === after) + 1;
  // The photo is gone, so that the place of the page is not known.
  if (after !== null && start === 0) return { gallery, joined: true };
  const positions = new Map(photos.map(({ id }, index) => [id, index]));
  const lastKnown = fetched.reduce((last, { id }) => Math.max(last, positions.get(id) ?? -1), -1);
  const atEnd = (next_cursor ?? null) === null;
  const end = atEnd ? photos.length : Math.max(start, lastKnown + 1);
  const joined = atEnd || lastKnown >= start || photos.length === start;

  const merged = [
    ...photos.slice(0, start),
    ...fetched.map((photo) => reuse(photos[positions.get(photo.id) ?? -1], photo)),
    ...photos.slice(end),
  ];
  const knownBelow = photos.length > start;
  const arrived = fetched.filter(
    ({ id }, index) =>
      !positions.has(id) &&
      knownBelow &&
      (end < photos.length || fetched.slice(index + 1).some((older) => positions.has(older.id))),
  );
  const present = new Set(merged.map(({ id }) => id));
  const arrivals = [...gallery.arrivals, ...arrived.map(({ id }) => id)].filter((id) => present.has(id));
  return {
    joined,
    gallery: {
      ...gallery,
      photos: merged,
      nextCursor: end === photos.length ? (next_cursor ?? null) : gallery.nextCursor,
      total: total_count,
      moments: moments ?? null,
      arrivals: arrivals.length === 0 ? noArrivals : new Set(arrivals),
    },
  };
}

export const admitArrivals = (gallery: Gallery): Gallery => ({ ...gallery, arrivals: noArrivals });

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
export function unloadedIds({ photos, nextCursor }: Gallery, ids: readonly string[]): readonly string[] {
  if (nextCursor === null) return [];
  const places = new Map(ids.map((id, place) => [id, place]));
  // The last ones may have come, or gone, since the ids were asked for.
  const last = photos.findLast(({ id }) => places.has(id));
  return last === undefined ? ids : ids.slice((places.get(last.id) ?? -1) + 1);
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
