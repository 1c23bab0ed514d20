import { describe, expect, it } from 'vitest';
import { allPhotos } from './photos';
import { inNoAlbum, listOf, noFilter, withinAlbums } from './filters';

describe('listOf', () => {
  it('names the list of the server that has what is looked for', () => {
    expect(listOf(noFilter)).toBe(allPhotos);
    expect(listOf({ ...noFilter, name: ' a&b ' })).toBe('name=a%26b');
    expect(listOf({ ...noFilter, name: ' ' })).toBe(allPhotos);
    expect(listOf({ ...noFilter, name: 'dsc', status: 'failed', sort: 'captured' })).toBe(
      'name=dsc&status=failed&sort=captured',
    );
    expect(listOf({ ...noFilter, album: 'a1' })).toBe('album_id=a1');
    expect(listOf({ ...noFilter, album: inNoAlbum })).toBe('album_id=none');
    expect(listOf({ ...noFilter, status: 'withoutFaces' })).toBe('without_faces=true');
  });
});

describe('withinAlbums', () => {
  it('looks for an album as long as it is there', () => {
    const filter = { ...noFilter, name: 'dsc', album: 'a1' };
    const none = { ...noFilter, album: inNoAlbum };
    expect(withinAlbums(filter, [{ id: 'a2' }, { id: 'a1' }])).toBe(filter);
    expect(withinAlbums(filter, [{ id: 'a2' }])).toEqual({ ...filter, album: '' });
    expect(withinAlbums(none, [{ id: 'a2' }])).toBe(none);
    expect(withinAlbums(none, [])).toEqual(noFilter);
  });
});
