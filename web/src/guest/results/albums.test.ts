import { describe, expect, it } from 'vitest';
import { mergeSearchResults, parseSearchResult } from '../search/matches';
import { albumsIn, inAlbum } from './albums';

const ceremony = { id: 'c', name: 'Ceremony' };
const dinner = { id: 'd', name: 'Dinner' };
const result = (albums: unknown, ...of: (string | undefined)[]) =>
  parseSearchResult(
    { matches: of.map((album_id, at) => ({ photo_id: `${at}`, url: '/a', album_id })), albums },
    0,
  );

describe('the albums of a result', () => {
  it('are those that its photos are in', () => {
    expect(albumsIn(result([ceremony, dinner], 'd', undefined))).toEqual([dinner]);
    expect(albumsIn(result(undefined, undefined))).toEqual([]);
    expect(result(['x', { id: 1 }, dinner], 'd').albums).toEqual([dinner]);
  });

  it('show their photos alone, and all when none is left', () => {
    const all = result([ceremony, dinner], 'd', undefined, 'c');
    expect(inAlbum(all, 'd').matches.map(({ photo_id }) => photo_id)).toEqual(['0']);
    expect(inAlbum(all, null)).toBe(all);
    expect(inAlbum(all, 'gone')).toBe(all);
  });

  it('stay while a later search adds photos', () => {
    const merged = mergeSearchResults(result([ceremony], 'c'), result([dinner], undefined, 'd'));
    expect(merged.albums).toEqual([dinner, ceremony]);
  });
});
