import { describe, expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { admitArrivals, appendPage, type Gallery, galleryOf } from './gallery';
import { continueRun, hasOnlyArrivals, mergeRun, missingIn, reachesKnown, renewPhotos } from './runs';

const page = (ids: string, next: string | null = null, total = 26) => ({
  photos: Array.from(ids, (id) => aPhoto({ id })),
  total_count: total,
  next_cursor: next,
});
const run = (...pages: Parameters<typeof page>) => continueRun(null, page(...pages));
const idsOf = ({ photos }: { photos: readonly { id: string }[] }) => photos.map(({ id }) => id).join('');
const merge = (gallery: Gallery, of: ReturnType<typeof run>, gone = '', replaces = gone !== '') =>
  mergeRun(gallery, gallery, of, { gone: new Set(gone), replaces });

describe('the photos loaded', () => {
  it('keep what lies behind a page that is fetched again, and count new photos as arrivals', () => {
    const before = appendPage(galleryOf(page('wvut', 't')), page('srq', 'q'));
    const fetched = run('zywv', 'v', 28);
    expect(hasOnlyArrivals(before, fetched)).toBe(true);
    const gallery = merge(before, fetched);
    expect(idsOf(gallery)).toBe('zywvutsrq');
    expect([...gallery.arrivals]).toEqual(['z', 'y']);
    expect(gallery).toMatchObject({ nextCursor: 'q', total: 28 });
    expect(admitArrivals(gallery).arrivals.size).toBe(0);
  });

  it('go when they are gone, also those that had just arrived', () => {
    const before = merge(galleryOf(page('wvuts', 's')), run('xwvut', 't', 27));
    expect([...before.arrivals]).toEqual(['x']);
    const fetched = run('wuts', 's', 25);
    expect(hasOnlyArrivals(before, fetched)).toBe(false);
    expect(missingIn(before, fetched)).toEqual(['x', 'v']);
    const gallery = merge(before, fetched, 'xv');
    expect(idsOf(gallery)).toBe('wuts');
    expect(gallery.arrivals.size).toBe(0);
  });

  it('are not merged with a page of only new photos until one overlaps them', () => {
    const before = galleryOf(page('dcb', 'b'));
    const first = run('zyx', 'x', 30);
    expect(reachesKnown(before, first)).toBe(false);
    const second = continueRun(first, page('wdc', 'c', 30));
    expect(reachesKnown(before, second)).toBe(true);
    const gallery = merge(before, second);
    expect(idsOf(gallery)).toBe('zyxwdcb');
    expect([...gallery.arrivals]).toEqual(['z', 'y', 'x', 'w']);
    expect(gallery.nextCursor).toBe('b');
  });

  it('continue where a longer page ends, and those are no arrivals', () => {
    const gallery = merge(galleryOf(page('zy', 'y')), run('zyxw', 'w'));
    expect(idsOf(gallery)).toBe('zyxw');
    expect(gallery.nextCursor).toBe('w');
    expect(gallery.arrivals.size).toBe(0);
    const first = merge(galleryOf(page('', null, 0)), run('zy'));
    expect(idsOf(first)).toBe('zy');
    expect(first.arrivals.size).toBe(0);
  });

  it('stay the same objects while nothing but their links changes', () => {
    const before = galleryOf(page('zy'));
    const again = page('zy');
    const [same, changed] = again.photos;
    if (same !== undefined) same.url = '/signed-anew';
    if (changed !== undefined) changed.status = 'processing';
    for (const gallery of [merge(before, continueRun(null, again)), renewPhotos(before, again.photos)]) {
      expect(gallery.photos[0]).toBe(before.photos[0]);
      expect(gallery.photos[1]?.status).toBe('processing');
    }
  });

  it('keep the pages that came while others were fetched again', () => {
    const before = galleryOf(page('zyxw', 'w'));
    const now = appendPage(before, page('vut', 't'));
    const gallery = mergeRun(now, before, run('zxwv', 'v'), { gone: new Set(), replaces: true });
    expect(idsOf(gallery)).toBe('zxwvuty');
    expect([...gallery.apart]).toEqual(['y']);
    expect(gallery.nextCursor).toBe('t');
    expect(gallery.arrivals.size).toBe(0);
  });
});
