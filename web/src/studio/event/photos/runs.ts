import type { Photo } from '../../../platform/api/types';
import { type Gallery, linkedPhotos } from './gallery';
import type { PhotoPage } from './photos';

/** The photos of a list from its first one on, as the server has them now. */
export interface Run {
  readonly photos: readonly Photo[];
  /** Null where the list ends with them. */
  readonly nextCursor: string | null;
  readonly total: number;
  readonly moments: number | null;
}

const idsOf = (photos: readonly Photo[]): ReadonlySet<string> => new Set(photos.map(({ id }) => id));

/** The run that a page continues. A photo that moved while the pages were fetched, and is on two of them, is in it once. */
export function continueRun(
  before: Run | null,
  { photos, next_cursor, total_count, moments }: PhotoPage,
): Run {
  const earlier = before?.photos ?? [];
  const known = idsOf(earlier);
  return {
    photos: [...earlier, ...photos.filter(({ id }) => !known.has(id))],
    nextCursor: next_cursor ?? null,
    total: total_count,
    moments: moments ?? null,
  };
}

/** Whether a run has all photos of its list. */
export const isComplete = ({ photos, nextCursor, total }: Run): boolean =>
  nextCursor === null && photos.length >= total;

/** How far a run has to go that replaces all that is loaded. */
const lengthToReplace = (gallery: Gallery, { total }: Run): number =>
  linkedPhotos(gallery).length + Math.max(0, total - gallery.total);

/** Whether a run is as long as what is loaded, with what has come. */
export const coversLoaded = (gallery: Gallery, run: Run): boolean =>
  run.photos.length >= lengthToReplace(gallery, run);

/** Whether a run has come to photos that are known, or to where the last of them would be. */
export function reachesKnown(gallery: Gallery, run: Run): boolean {
  const known = idsOf(linkedPhotos(gallery));
  return run.photos.some(({ id }) => known.has(id)) || coversLoaded(gallery, run);
}

/**
 * Whether new photos are all that a run tells of the list: the known ones follow each other as before, and the number of all
 * photos has grown by the new ones. What else happened, and where, such a run does not say.
 */
export function hasOnlyArrivals(before: Gallery, run: Run): boolean {
  const linked = linkedPhotos(before);
  const known = idsOf(linked);
  const found = run.photos.filter(({ id }) => known.has(id));
  if (found.some(({ id }, index) => id !== linked[index]?.id)) return false;
  // Photos are put together after they have come, wherever they are in the list.
  if (run.total === before.total && run.moments !== before.moments) return false;
  if (found.length === linked.length) return true;
  const unknown = run.photos.filter(({ id }) => !known.has(id) && !before.apart.has(id));
  return run.total - before.total === unknown.length;
}

/** The known photos that a run has not come to, although it is as long as what was loaded: they are gone, or have moved. */
export function missingIn(before: Gallery, run: Run): readonly string[] {
  const found = idsOf(run.photos);
  return before.photos.flatMap(({ id }) => (found.has(id) ? [] : id));
}

/** A run without what goes beyond the photos that were loaded: otherwise more would be loaded with every refresh. */
export function cutToLoaded(before: Gallery, run: Run): Run {
  const linked = idsOf(linkedPhotos(before));
  const within = run.photos.slice(0, lengthToReplace(before, run));
  const length = Math.max(linked.size, within.findLastIndex(({ id }) => linked.has(id)) + 1);
  const last = run.photos[length - 1];
  if (before.nextCursor === null || last === undefined || run.photos.length === length) return run;
  return { ...run, photos: run.photos.slice(0, length), nextCursor: last.id };
}

/** The links of a photo are signed anew in every answer; they are no change. */
const comparable = (photo: Photo) =>
  JSON.stringify({ ...photo, url: null, thumbnail_url: (photo.thumbnail_url ?? null) !== null });

/** A photo that did not change stays the same object, so that nothing that shows it renders again. */
const reuse = (before: Photo | undefined, now: Photo): Photo =>
  before !== undefined && comparable(before) === comparable(now) ? before : now;

/** Puts photos that were fetched anew in the place of the known ones. */
export function renewPhotos(gallery: Gallery, fetched: readonly Photo[]): Gallery {
  const renewed = new Map(fetched.map((photo) => [photo.id, photo]));
  return {
    ...gallery,
    photos: gallery.photos.map((photo) => reuse(photo, renewed.get(photo.id) ?? photo)),
  };
}

/** Of the photos of a run those that are not known, but for those behind the last known one: they continue what is loaded. */
function arrivalsOf(
  before: Gallery,
  fetched: readonly Photo[],
  known: ReadonlyMap<string, Photo>,
  moreBelow: boolean,
): readonly string[] {
  const linked = idsOf(linkedPhotos(before));
  if (linked.size === 0) return [];
  const last = moreBelow ? fetched.length : fetched.findLastIndex(({ id }) => linked.has(id));
  return fetched.slice(0, Math.max(0, last)).flatMap(({ id }) => (known.has(id) ? [] : id));
}

/**
 * Puts a run at the beginning of a gallery; what it does not have stays behind it, but for what is `gone`. `before` is the gallery
 * when the run was begun: the gallery may have changed meanwhile. With `replaces`, the run is all that was loaded, so that known
 * photos that are not in it have moved behind it. With `linkedAt`, the moment at which such a run was begun, its photos take the
 * place of the known ones also where only their links differ.
 */
export function mergeRun(
  now: Gallery,
  before: Gallery,
  run: Run,
  { gone, replaces, linkedAt }: { gone: ReadonlySet<string>; replaces: boolean; linkedAt?: number },
): Gallery {
  const had = idsOf(before.photos);
  const known = new Map(now.photos.map((photo) => [photo.id, photo]));
  const fetched = run.photos
    // One that was known, and is no more, was deleted here while the pages were fetched.
    .filter(({ id }) => known.has(id) || !had.has(id))
    .map((photo) => (linkedAt === undefined ? reuse(known.get(photo.id), photo) : photo));
  const found = idsOf(fetched);
  const rest = now.photos.filter(({ id }) => !found.has(id) && !gone.has(id));
  const apart = rest.filter(({ id }) => (replaces ? had : now.apart).has(id));
  const isApart = idsOf(apart);
  const linkedRest = rest.filter(({ id }) => !isApart.has(id));
  const photos = [...fetched, ...linkedRest, ...apart];
  const present = idsOf(photos);
  const arrived = arrivalsOf(before, fetched, known, linkedRest.length > 0);
  return {
    ...now,
    photos,
    apart: isApart,
    nextCursor: linkedRest.length > 0 ? now.nextCursor : run.nextCursor,
    total: run.total,
    moments: run.moments,
    arrivals: new Set([...now.arrivals, ...arrived].filter((id) => present.has(id))),
    linkedAt: linkedAt ?? now.linkedAt,
  };
}
