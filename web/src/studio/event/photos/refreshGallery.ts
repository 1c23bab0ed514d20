import { type Gallery, isProcessing, linkedPhotos, pagesWithProcessing } from './gallery';
import { type PhotoPage, pageSize } from './photos';
import {
  continueRun,
  coversLoaded,
  cutToLoaded,
  hasOnlyArrivals,
  isComplete,
  mergeRun,
  missingIn,
  reachesKnown,
  renewPhotos,
  type Run,
} from './runs';

/** The first photos that are fetched to see whether there are new ones, while none of a page is processing. */
const headSize = 20;
/** Pages fetched in one refresh for photos that are processing: large events are refreshed round-robin. */
const pagesPerRefresh = 2;
/** Milliseconds after which all that is loaded is fetched again: links to pictures are good for 6 hours. */
const linksKept = 5 * 60 * 60 * 1000;

type FetchPage = (cursor: string | null, limit: number) => Promise<PhotoPage>;
/** Fetches the ids of all photos of the list. */
type FetchIds = () => Promise<readonly string[]>;

/** The gallery as it is at the moment, which may change while a page is fetched. */
export interface GalleryCell {
  read: () => Gallery;
  write: (gallery: Gallery) => void;
}

/** Fetches the list from its first photo on until it ends, or is `enough`. */
async function fetchRun(fetchPage: FetchPage, limit: number, enough: (run: Run) => boolean): Promise<Run> {
  let run = continueRun(null, await fetchPage(null, limit));
  while (run.nextCursor !== null && !enough(run))
    run = continueRun(run, await fetchPage(run.nextCursor, pageSize));
  return run;
}

const nothing: ReadonlySet<string> = new Set();

/** Those of the photos that were known which the list has no more; the others that a run does not have stand behind it. */
async function findGone(before: Gallery, run: Run, fetchIds: FetchIds): Promise<ReadonlySet<string>> {
  const missing = missingIn(before, run);
  if (missing.length === 0) return nothing;
  const present = new Set(isComplete(run) ? [] : await fetchIds());
  return new Set(missing.filter((id) => !present.has(id)));
}

/**
 * Fetches all that is loaded again, with new links. Nothing is written before all of it is there: a photo that one page no longer has may have moved
 * to another one, and would be missed by what shows it until that page has come.
 */
async function refetchLoaded(
  { read, write }: GalleryCell,
  fetchPage: FetchPage,
  fetchIds: FetchIds,
): Promise<void> {
  const before = read();
  const linkedAt = Date.now();
  const run = await fetchRun(fetchPage, pageSize, (soFar) => coversLoaded(before, soFar));
  const gone = await findGone(before, run, fetchIds);
  write(mergeRun(read(), before, cutToLoaded(before, run), { gone, replaces: true, linkedAt }));
}

/** Fetches the first photos again; returns whether they tell all that has happened to the list. */
async function refetchFirst(
  { read, write }: GalleryCell,
  fetchPage: FetchPage,
  limit: number,
): Promise<boolean> {
  const before = read();
  const run = await fetchRun(fetchPage, limit, (soFar) => reachesKnown(before, soFar));
  const isWhole = isComplete(run);
  if (!isWhole && !hasOnlyArrivals(before, run)) return false;
  const gone = new Set(isWhole ? missingIn(before, run) : []);
  write(mergeRun(read(), before, run, { gone, replaces: isWhole }));
  return true;
}

/** Fetches a page again that has photos that are processing; returns whether all of them are still in it. */
async function refetchProcessing(
  { read, write }: GalleryCell,
  fetchPage: FetchPage,
  after: string,
): Promise<boolean> {
  const { photos } = await fetchPage(after, pageSize);
  const now = read();
  const first = now.photos.findIndex(({ id }) => id === after) + 1;
  const sought = now.photos.slice(first, first + pageSize).filter(isProcessing);
  write(renewPhotos(now, photos));
  const found = new Set(photos.map(({ id }) => id));
  return first === 0 || sought.every(({ id }) => found.has(id) || now.apart.has(id));
}

/**
 * Brings the gallery up to date with few requests: one for the first photos, one or two for pages with photos that are processing.
 * All loaded pages are fetched only when photos were deleted elsewhere, put together, or moved, as hearts move them, and before
 * their links end.
 */
export async function refreshGallery(
  cell: GalleryCell,
  fetchPage: FetchPage,
  fetchIds: FetchIds,
): Promise<void> {
  const before = cell.read();
  cell.write({ ...before, refreshes: before.refreshes + 1 });
  const limit = before.photos.slice(0, pageSize).some(isProcessing) ? pageSize : headSize;
  const linksEnd = Date.now() - before.linkedAt >= linksKept;
  if (linksEnd || !(await refetchFirst(cell, fetchPage, limit))) {
    await refetchLoaded(cell, fetchPage, fetchIds);
    return;
  }
  const pages = pagesWithProcessing(linkedPhotos(cell.read()), limit, pageSize);
  const count = Math.min(pages.length, pagesPerRefresh);
  for (let step = 0; step < count; step += 1) {
    const page = pages[(before.refreshes * pagesPerRefresh + step) % pages.length];
    if (page !== undefined && !(await refetchProcessing(cell, fetchPage, page))) {
      await refetchLoaded(cell, fetchPage, fetchIds);
      return;
    }
  }
}
