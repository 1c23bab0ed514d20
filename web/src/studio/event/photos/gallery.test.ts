import { describe, expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import {
  admitArrivals,
  appendPage,
  galleryOf,
  pagesWithProcessing,
  removePhotos,
  replacePage,
  unloadedIds,
} from './gallery';

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

  it('keep what lies behind a page that is fetched again, and count new photos as arrivals', () => {
    const before = appendPage(galleryOf(page('wvut', 't')), page('srq', 'q'));
    const { gallery, joined } = replacePage(before, null, page('zywv', 'v', 28));
    expect(joined).toBe(true);
    expect(idsOf(gallery)).toBe('zywvutsrq');
    expect([...gallery.arrivals]).toEqual(['z', 'y']);
    expect(gallery).toMatchObject({ nextCursor: 'q', total: 28 });
    expect(admitArrivals(gallery).arrivals.size).toBe(0);
  });

  it('go when a page no longer has them', () => {
    const before = replacePage(galleryOf(page('wvuts', 's')), null, page('xwvut', 't')).gallery;
    expect([...before.arrivals]).toEqual(['x']);
    const { gallery } = replacePage(before, null, page('wus', 's'));
    expect(idsOf(gallery)).toBe('wus');
    expect(gallery.arrivals.size).toBe(0);
    expect(idsOf(replacePage(galleryOf(page('wvuts', 's')), 'v', page('u', null)).gallery)).toBe('wvu');
  });

  it('are not merged with a page of only new photos until one overlaps them', () => {
    const first = replacePage(galleryOf(page('dcb', 'b')), null, page('zyx', 'x'));
    expect(first.joined).toBe(false);
    const second = replacePage(first.gallery, 'x', page('wdc', 'c'));
    expect(second.joined).toBe(true);
    expect(idsOf(second.gallery)).toBe('zyxwdcb');
    expect([...second.gallery.arrivals]).toEqual(['z', 'y', 'x', 'w']);
    expect(second.gallery.nextCursor).toBe('b');
  });

  it('continue where a longer page ends, and those are no arrivals', () => {
    const { gallery } = replacePage(galleryOf(page('zy', 'y')), null, page('zyxw', 'w'));
    expect(idsOf(gallery)).toBe('zyxw');
    expect(gallery.nextCursor).toBe('w');
    expect(gallery.arrivals.size).toBe(0);
    const first = replacePage(galleryOf(page('', null, 0)), null, page('zy'));
    expect(idsOf(first.gallery)).toBe('zy');
    expect(first.gallery.arrivals.size).toBe(0);
  });

  it('stay the same objects while nothing but their links changes', () => {
    const before = galleryOf(page('zy'));
    const again = page('zy');
    const [same, changed] = again.photos;
    if (same !== undefined) same.url = '/signed-anew';
    if (changed !== undefined) changed.status = 'processing';
    const { gallery } = replacePage(before, null, again);
    expect(gallery.photos[0]).toBe(before.photos[0]);
    expect(gallery.photos[1]?.status).toBe('processing');
  });

  it('are unchanged after a deleted photo', () => {
    const before = galleryOf(page('zyx'));
    expect(replacePage(before, 'gone', page('x')).gallery).toBe(before);
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
    expect(unloadedIds(galleryOf(page('zyx')), ids)).toEqual([]);
  });

  it('are counted off when they are removed from their list', () => {
    const gallery = galleryOf(page('zyx', 'x', 6));
    expect(removePhotos(gallery, ['y', 'w', 'v'], true)).toMatchObject({ total: 3, nextCursor: 'x' });
    expect(removePhotos(gallery, ['y', 'w'])).toMatchObject({ total: 5 });
    expect(removePhotos(gallery, ids, true)).toMatchObject({ total: 0, photos: [] });
  });
});
