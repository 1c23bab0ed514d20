import { useCallback, useState } from 'react';
import { type Album, type Match, matchId } from '../search/matches';
import { usePhotoPages } from '../usePhotoPages';
import { fetchPhotoPage, type PhotoPage } from './photoPages';

/** All photos of an event, or of an album of it, page by page. */
export function useAllPhotos(slug: string, album: string | null) {
  // Of the whole event, also while those of an album are shown.
  const [albums, setAlbums] = useState<readonly Album[]>([]);
  const fetchPage = useCallback(
    (cursor: string | null, signal: AbortSignal) => fetchPhotoPage(slug, album, cursor, signal),
    [slug, album],
  );
  const learn = useCallback(({ overview }: PhotoPage) => {
    if (overview !== null) setAlbums(overview.albums);
  }, []);
  const { first, ...pages } = usePhotoPages<Match, PhotoPage>(fetchPage, matchId, learn);
  /** How many there are, with those that are not loaded yet; null until it is known. */
  const total = first?.overview?.total ?? null;
  /** How many there are where of photos that are alike the best alone counts; null where none are put together. */
  const moments = first?.overview?.moments ?? null;
  return { ...pages, albums, total, moments };
}
