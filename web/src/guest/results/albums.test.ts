import { describe, expect, it } from 'vitest';
import { mergeSearchResults, parseSearchResult } from '../search/matches';
import { albumNames, albumsIn, inAlbum } from './albums';

const ceremony = { id: 'c', name: 'Ceremony' };
const dinner = { id: 'd', name: 'Dinner' };
const result = (albums: unknown, ...of: (string | undefined)[]) =>
  parseSearchResult(
    { matches: of.map((ids, at) => ({ photo_id: `${at}`, url: '/a', albums: ids?.split(' ') })), albums },
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
    const both = result([ceremony, dinner], 'd', 'd c', 'c');
    expect(inAlbum(both, 'd').matches.map(({ photo_id }) => photo_id)).toEqual(['0', '1']);
    expect(inAlbum(both, 'c').matches.map(({ photo_id }) => photo_id)).toEqual(['1', '2']);
    expect(inAlbum(all, 'gone')).toBe(all);
  });

  it('are named with a photo, all of them in their order', () => {
    const { albums, matches } = result([ceremony, dinner], 'd c', 'c', undefined);
    const names = matches.map((match) => albumNames(albums, match));
    expect(names).toEqual(['Ceremony, Dinner', 'Ceremony', null]);
  });

  it('are read from results that an earlier version has saved', () => {
    const matches = ['d', null].map((album_id) => ({ photo_id: '0', url: '/a', album_id }));
    const saved = parseSearchResult({ matches, albums: [ceremony, dinner] }, 0);
    expect(saved.matches.map(({ albums }) => albums)).toEqual([['d'], []]);
  });

  it('stay while a later search adds photos', () => {
    const merged = mergeSearchResults(result([ceremony], 'c'), result([dinner], undefined, 'd'));
    expect(merged.albums).toEqual([dinner, ceremony]);
  });
});
