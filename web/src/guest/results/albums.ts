import type { Album, SearchResult } from '../search/matches';

/** The albums that the photos of a result are in. */
export function albumsIn({ albums, matches }: SearchResult): Album[] {
  const used = new Set(matches.map(({ album_id }) => album_id));
  return albums.filter(({ id }) => used.has(id));
}

/** The photos of an album alone; all of them if it is null, or none of them is in it. */
export function inAlbum(result: SearchResult, album: string | null): SearchResult {
  const matches = result.matches.filter(({ album_id }) => album_id === album);
  return album === null || matches.length === 0 ? result : { ...result, matches };
}
