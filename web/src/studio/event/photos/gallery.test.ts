import { describe, expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { appendPage, galleryOf, pagesWithProcessing, removePhotos, unloadedIds } from './gallery';

const photosOf = (ids: string) => Array.from(ids, (id) => aPhoto({ id }));
const page = (ids: string, next: string | null = null, total = 26) => ({
  photos: photosOf(ids),
  total_count: total,
  next_cursor: next,
});
const idsOf = ({ photos }: { photos: readonly { id: string }[] }) => photos.map(({ id }) => id).join('');

describe('the photos loaded', () => {
  it('grow by older pages, each photo once', () => {
    const gallery = appendPage(galleryOf(page('zyx', 'x')), page('xwv', 'v', 25));
    expect(idsOf(gallery)).toBe('zyxwv');
    expect(gallery).toMatchObject({ nextCursor: 'v', total: 25 });
    expect(gallery.arrivals.size).toBe(0);
  });

  it('that have moved behind them stay, and get their place with the page that has it', () => {
    const apart = { ...galleryOf(page('zyxv', 'x')), apart: new Set(['v']) };
    const gallery = appendPage(apart, page('wu', 'u'));
    expect(idsOf(gallery)).toBe('zyxwuv');
    expect([...gallery.apart]).toEqual(['v']);
    const last = appendPage(gallery, page('tvs', 's'));
    expect(idsOf(last)).toBe('zyxwutvs');
    expect(last.apart.size).toBe(0);
  });

  it('go with their count when they are deleted', () => {
    const gallery = removePhotos(galleryOf(page('zyx', null, 3)), ['y', 'elsewhere']);
    expect(idsOf(gallery)).toBe('zx');
    expect(gallery.total).toBe(2);
  });
});

it('fetches the pages that have photos in process, each once', () => {
  const photos = photosOf('abcdefghij');
  for (const index of [0, 2, 3, 4, 5, 9]) {
    const photo = photos[index];
    if (photo !== undefined) photo.status = 'processing';
  }
  expect(pagesWithProcessing(photos, 3, 3)).toEqual(['c', 'i']);
  expect(pagesWithProcessing(photos, 1, 2)).toEqual(['b', 'd', 'i']);
  expect(pagesWithProcessing(photosOf('abc'), 0, 2)).toEqual([]);
});

describe('photos that are not loaded', () => {
  const ids = Array.from('zyxwvu');

  it('are those after the last loaded one, whatever came or went since', () => {
    expect(unloadedIds(galleryOf(page('zyx', 'x')), ids)).toEqual(['w', 'v', 'u']);
    expect(unloadedIds(galleryOf(page('AzyxB', 'B')), ids)).toEqual(['w', 'v', 'u']);
    expect(unloadedIds(galleryOf(page('zy', 'y')), Array.from('Nzyxw'))).toEqual(['x', 'w']);
    expect(unloadedIds(galleryOf(page('', 'x')), ids)).toEqual(ids);
    expect(unloadedIds({ ...galleryOf(page('zyv', 'y')), apart: new Set(['v']) }, ids)).toEqual([
      'x',
      'w',
      'u',
    ]);
    expect(unloadedIds(galleryOf(page('zyx')), ids)).toEqual([]);
  });

  it('are counted off when they are removed from their list', () => {
    const gallery = galleryOf(page('zyx', 'x', 6));
    expect(removePhotos(gallery, ['y', 'w', 'v'], true)).toMatchObject({ total: 3, nextCursor: 'x' });
    expect(removePhotos(gallery, ['y', 'w'])).toMatchObject({ total: 5 });
    expect(removePhotos(gallery, ids, true)).toMatchObject({ total: 0, photos: [] });
  });
});
