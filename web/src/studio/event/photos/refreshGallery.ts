import { type Gallery, isProcessing, pagesWithProcessing, replacePage } from './gallery';
import { type PhotoPage, pageSize } from './photos';

/** The newest photos that are fetched to see whether there are new ones, while none of a page is processing. */
const headSize = 20;
/** Pages fetched in one refresh for photos that are processing: large events are refreshed round-robin. */
const pagesPerRefresh = 2;

type FetchPage = (cursor: string | null, limit: number) => Promise<PhotoPage>;

/** The gallery as it is at the moment, which may change while a page is fetched. */
export interface GalleryCell {
  read: () => Gallery;
  write: (gallery: Gallery) => void;
}

/** Fetches a page and puts it into the gallery; returns its last photo, or null when the page joins the known photos. */
async function fetchAndReplace(
  { read, write }: GalleryCell,
  fetchPage: FetchPage,
  after: string | null,
  limit: number,
): Promise<string | null> {
  const page = await fetchPage(after, limit);
  const { gallery, joined } = replacePage(read(), after, page);
  write(gallery);
  return joined ? null : (page.photos.at(-1)?.id ?? null);
}

/** Fetches every loaded page again: something was deleted elsewhere, at a place that is not known, or photos were put together. */
async function refetchAll({ read, write }: GalleryCell, fetchPage: FetchPage): Promise<void> {
  let after: string | null = null;
  do {
    const page: PhotoPage = await fetchPage(after, pageSize);
    write(replacePage(read(), after, page).gallery);
    after = (page.next_cursor ?? null) === null ? null : (page.photos.at(-1)?.id ?? null);
  } while (after !== null && read().photos.at(-1)?.id !== after);
}

/**
 * Brings the gallery up to date with few requests: one for the newest photos, one or two for pages with photos that are
 * processing. All loaded pages are fetched only when photos were deleted elsewhere, or put together.
 */
export async function refreshGallery(cell: GalleryCell, fetchPage: FetchPage): Promise<void> {
  const before = cell.read();
  cell.write({ ...before, refreshes: before.refreshes + 1 });
  const limit = before.photos.slice(0, pageSize).some(isProcessing) ? pageSize : headSize;
  let after = await fetchAndReplace(cell, fetchPage, null, limit);
  while (after !== null) after = await fetchAndReplace(cell, fetchPage, after, pageSize);

  const now = cell.read();
  const more = now.photos.length - before.photos.length;
  // Photos are put together after they have come, wherever they are in the list.
  const restacked = now.total === before.total && now.moments !== before.moments;
  if (restacked || (now.nextCursor === before.nextCursor && now.total - before.total !== more)) {
    await refetchAll(cell, fetchPage);
    return;
  }
  const pages = pagesWithProcessing(now.photos, limit, pageSize);
  const count = Math.min(pages.length, pagesPerRefresh);
  for (let step = 0; step < count; step += 1) {
    const page = pages[(before.refreshes * pagesPerRefresh + step) % pages.length];
    if (page !== undefined) await fetchAndReplace(cell, fetchPage, page, pageSize);
  }
}
