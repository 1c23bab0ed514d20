import type { Album, Match, SearchResult } from '../search/matches';

/** The albums that the photos of a result are in. */
export function albumsIn({ albums, matches }: SearchResult): Album[] {
  const used = new Set(matches.flatMap((match) => match.albums));
  return albums.filter(({ id }) => used.has(id));
}

/** The photos of an album alone; all of them if it is null, or none of them is in it. */
export function inAlbum(result: SearchResult, album: string | null): SearchResult {
  const matches = album === null ? [] : result.matches.filter(({ albums }) => albums.includes(album));
  return matches.length === 0 ? result : { ...result, matches };
}

/** The names of the albums that a photo is in; null if in none. */
export const albumNames = (albums: readonly Album[], match: Match): string | null =>
  albums
    .filter(({ id }) => match.albums.includes(id))
    .map(({ name }) => name)
    .join(', ') || null;
