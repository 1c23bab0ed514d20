import { describe, expect, it } from 'vitest';
import { allPhotos } from './photos';
import {
  filterIn,
  inNoAlbum,
  leavesOut,
  listOf,
  noFilter,
  putFilter,
  withinAlbums,
  withoutHearts,
} from './filters';

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
    expect(listOf({ ...noFilter, status: 'held' })).toBe('held=true');
    expect(listOf({ ...noFilter, selection: 's1' })).toBe('selection_id=s1');
    expect(listOf({ ...noFilter, selection: 's1', commented: 'true' })).toBe(
      'selection_id=s1&commented=true',
    );
    expect(listOf({ ...noFilter, commented: 'true' })).toBe(allPhotos);
    expect(listOf({ ...noFilter, status: 'hearted', sort: 'hearts' })).toBe('hearted=true&sort=hearts');
    expect(listOf({ ...noFilter, status: 'blurred', sort: 'sharpness' })).toBe('blurred=true&sort=sharpness');
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

describe('withoutHearts', () => {
  it('leaves what guests did to the owner and managers', () => {
    const hearts = { ...noFilter, name: 'a', status: 'hearted', sort: 'hearts' } as const;
    expect(withoutHearts(hearts)).toEqual({ ...noFilter, name: 'a' });
    const blurred = { ...noFilter, status: 'blurred', sort: 'sharpness' } as const;
    expect(withoutHearts(blurred)).toEqual(blurred);
  });
});

describe('the filter in an address', () => {
  it('is read as it was written, beside what else the address says [GAL420]', () => {
    const filter = {
      name: 'a&b ',
      status: 'withoutFaces',
      sort: 'name',
      album: 'a1',
      uploader: 'u1',
      selection: 's1',
      commented: 'true',
    } as const;
    const address = putFilter(new URLSearchParams('event=e1&status=failed'), filter);
    expect(address.get('event')).toBe('e1');
    expect(filterIn(new URLSearchParams(address.toString()))).toEqual(filter);
    expect(putFilter(address, noFilter).toString()).toBe('event=e1');
    expect(filterIn(address)).toEqual(noFilter);
  });

  it('is none where it is not known', () => {
    expect(filterIn(new URLSearchParams('status=lost&sort=size'))).toEqual(noFilter);
  });
});

describe('leavesOut', () => {
  it('is whether photos may be missing, in whatever order they are', () => {
    expect(leavesOut({ ...noFilter, sort: 'name', name: ' ' })).toBe(false);
    expect(leavesOut({ ...noFilter, status: 'failed' })).toBe(true);
    expect(leavesOut({ ...noFilter, name: 'a' })).toBe(true);
  });
});
