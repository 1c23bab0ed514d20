import { t } from '@lingui/core/macro';
import type { GuestPhotos } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { request } from '../request';
import { type Album, type Match, parseSearchResult } from '../search/matches';

/** Milliseconds. */
export const pageTimeout = 30_000;

/** Some of the photos that all guests may see. */
export interface PhotoPage {
  photos: Match[];
  /** Of the first page alone: the albums that have such photos, and how many photos and moments there are on all pages. */
  overview: { albums: Album[]; total: number; moments: number | null } | null;
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** Milliseconds since the epoch; the links in it expire. */
  receivedAt: number;
}

/** Fetches a page of all photos, or of those in an album. Throws an `ApiError`. */
export async function fetchPhotoPage(
  slug: string,
  album: string | null,
  cursor: string | null,
  signal: AbortSignal,
): Promise<PhotoPage> {
  const query = new URLSearchParams();
  if (album !== null) query.set('album_id', album);
  if (cursor !== null) query.set('cursor', cursor);
  const path = `/api/face/photos/${encodeURIComponent(slug)}`;
  const body = await request<GuestPhotos>(
    query.size === 0 ? path : `${path}?${query.toString()}`,
    { signal: withTimeout(signal, pageTimeout) },
    t`The photos could not be loaded. Please check your connection.`,
  );
  const receivedAt = Date.now();
  const { matches, albums } = parseSearchResult({ matches: body.photos, albums: body.albums }, receivedAt);
  return {
    photos: matches,
    overview:
      typeof body.total === 'number' ? { albums, total: body.total, moments: body.moments ?? null } : null,
    next: body.next_cursor ?? null,
    receivedAt,
  };
}
