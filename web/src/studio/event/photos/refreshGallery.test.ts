import { expect, it, vi } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { appendPage, type Gallery, galleryOf, removePhotos } from './gallery';
import { refreshGallery } from './refreshGallery';

/** A server with photos, and a gallery that has loaded the first of them. */
function setUp(count: number, moments: () => number | null = () => null, loaded = count) {
  const server = Array.from({ length: count }, (_, index) => aPhoto({ id: `p${index}` }));
  const asked: string[] = [];
  let gallery: Gallery = galleryOf({
    photos: server.slice(0, loaded),
    total_count: count,
    next_cursor: loaded < count ? `p${loaded - 1}` : null,
  });
  /** The fewest photos that the gallery had at any moment. */
  let fewest = loaded;
  let failing: string | null = null;
  const read = () => gallery;
  const write = (next: Gallery) => {
    gallery = next;
    fewest = Math.min(fewest, next.photos.length);
  };
  const refresh = () =>
    refreshGallery(
      { read, write },
      (cursor, limit) => {
        const page = `${cursor ?? 'head'} ${limit}`;
        asked.push(page);
        if (page === failing) {
          failing = null;
          return Promise.reject(new Error(page));
        }
        const from = cursor === null ? 0 : server.findIndex(({ id }) => id === cursor) + 1;
        const photos = server.slice(from, from + limit);
        const more = from + photos.length < server.length;
        return Promise.resolve({
          photos,
          total_count: server.length,
          moments: moments(),
          next_cursor: more ? (photos.at(-1)?.id ?? null) : null,
        });
      },
      () => {
        asked.push('ids');
        return Promise.resolve(server.map(({ id }) => id));
      },
    );
  /** Another place for a photo, as hearts give it one. */
  const move = (from: number, to: number) => server.splice(to, 0, ...server.splice(from, 1));
  return {
    server,
    asked,
    refresh,
    move,
    read,
    write,
    fewest: () => fewest,
    /** Lets a page fail once. */
    fail: (page: string) => {
      failing = page;
    },
  };
}

const idsOf = (photos: readonly { id: string }[]) => photos.map(({ id }) => id);

it('fetches pages with photos in process two at a time, round-robin', async () => {
  const { server, asked, refresh, read } = setUp(1200);
  for (const index of [250, 500, 1100]) {
    const photo = server[index];
    if (photo !== undefined) server[index] = { ...photo, status: 'processing' };
  }
  // The gallery does not know yet that they are processing.
  await refresh();
  expect(asked).toEqual(['head 20']);
  for (const photo of server.filter(({ status }) => status === 'processing')) {
    const known = read().photos.find(({ id }) => id === photo.id);
    if (known !== undefined) known.status = 'processing';
  }
  const rounds: string[][] = [];
  for (let round = 0; round < 3; round += 1) {
    asked.length = 0;
    await refresh();
    rounds.push(asked.slice(1));
  }
  expect(rounds.map((pages) => pages.length)).toEqual([2, 2, 2]);
  expect(new Set(rounds.flat())).toEqual(new Set(['p249 200', 'p499 200', 'p1099 200']));
});

it('fetches page after page until it reaches a known photo when many have arrived', async () => {
  const { server, asked, refresh, read } = setUp(300);
  server.unshift(...Array.from({ length: 250 }, (_, index) => aPhoto({ id: `n${index}` })));
  await refresh();
  expect(asked).toEqual(['head 20', 'n19 200', 'n219 200']);
  expect(read().photos.map(({ id }) => id)).toEqual(server.map(({ id }) => id));
  expect(read().arrivals.size).toBe(250);
});

it('fetches all loaded pages when photos are gone that were not among the newest', async () => {
  const { server, asked, refresh, read } = setUp(500);
  server.splice(400, 1);
  await refresh();
  expect(asked).toEqual(['head 20', 'head 200', 'p199 200', 'p399 200']);
  expect(read().photos).toHaveLength(499);
  asked.length = 0;
  await refresh();
  expect(asked).toEqual(['head 20']);
});

it('fetches every page again once photos are put together, which were there before', async () => {
  let moments = 300;
  const { server, asked, refresh, read } = setUp(300, () => moments);
  await refresh();
  asked.length = 0;
  for (const index of [250, 251]) {
    const photo = server[index];
    if (photo !== undefined) server[index] = { ...photo, stack: { id: 'p250', place: index - 250 } };
  }
  moments = 299;
  await refresh();
  expect(asked).toEqual(['head 20', 'head 200', 'p199 200']);
  expect(read().photos[251]?.stack).toEqual({ id: 'p250', place: 1 });
  asked.length = 0;
  await refresh();
  expect(asked).toEqual(['head 20']);
});

it.each([
  ['up into the newest', 60, 5],
  ['down out of the newest', 5, 60],
  ['up from the end', 299, 0],
  ['down to the end', 0, 299],
  ['by a place', 19, 20],
])('keeps every photo when one moves %s, and none counts as new', async (_, from, to) => {
  const { server, refresh, move, read, fewest } = setUp(300);
  move(from, to);
  await refresh();
  expect(fewest()).toBe(300);
  expect(idsOf(read().photos)).toEqual(idsOf(server));
  expect(read().arrivals.size).toBe(0);
});

it('keeps a photo that moves behind those that are loaded, and loads the others without a gap', async () => {
  const { server, asked, refresh, move, read, fewest } = setUp(1000, undefined, 200);
  move(5, 900);
  for (let round = 0; round < 3; round += 1) await refresh();
  expect(fewest()).toBe(200);
  expect(new Set(idsOf(read().photos))).toEqual(new Set([...idsOf(server.slice(0, 200)), 'p5']));
  expect(read().arrivals.size).toBe(0);
  // All of a list is fetched once for a move, not at every refresh.
  expect(asked).toEqual(['head 20', 'head 200', 'ids', 'head 20', 'head 20']);
  expect(read().nextCursor).toBe(server[199]?.id);
  const more = appendPage(read(), {
    photos: server.slice(200, 950),
    total_count: 1000,
    next_cursor: server[949]?.id ?? null,
  });
  expect(idsOf(more.photos)).toEqual(idsOf(server.slice(0, 950)));
});

it('tells photos that moved from those that are gone and those that came', async () => {
  const { server, refresh, move, read } = setUp(600, undefined, 400);
  server.splice(100, 1);
  server.splice(8, 1);
  move(60, 5);
  move(3, 500);
  server.unshift(aPhoto({ id: 'new' }));
  await refresh();
  const ids = idsOf(read().photos);
  expect([...read().arrivals]).toEqual(['new']);
  expect(new Set(ids).size).toBe(ids.length);
  const gone = new Set(['p100', 'p8']);
  const loaded = Array.from({ length: 400 }, (_, index) => `p${index}`);
  expect(loaded.filter((id) => !ids.includes(id))).toEqual(['p8', 'p100']);
  expect(ids.filter((id) => gone.has(id))).toEqual([]);
});

it('does not bring back what is deleted here while pages are on their way', async () => {
  const { asked, refresh, move, read, write } = setUp(300);
  move(60, 5);
  const refreshed = refresh();
  while (!asked.includes('p199 200')) await Promise.resolve();
  write(removePhotos(read(), ['p7', 'p250']));
  await refreshed;
  expect(read().photos).toHaveLength(298);
  expect(read().arrivals.size).toBe(0);
});

it('begins anew after a page that could not be fetched, and leaves no gap', async () => {
  const { server, refresh, read, fail } = setUp(300);
  server.unshift(...Array.from({ length: 250 }, (_, index) => aPhoto({ id: `n${index}` })));
  fail('n19 200');
  await expect(refresh()).rejects.toThrow('n19 200');
  expect(idsOf(read().photos)).toEqual(idsOf(server.slice(250)));
  await refresh();
  expect(idsOf(read().photos)).toEqual(idsOf(server));
  expect(read().arrivals.size).toBe(250);
});

it('finds a photo that has moved as it became ready', async () => {
  const { server, refresh, move, read } = setUp(600);
  const known = read().photos[500];
  if (known !== undefined) known.status = 'processing';
  const [photo] = server.slice(500);
  if (photo !== undefined) server[500] = { ...photo, status: 'ready' };
  move(500, 250);
  await refresh();
  expect(idsOf(read().photos)).toEqual(idsOf(server));
  expect(read().photos[250]?.status).toBe('ready');
});

it('does not look through a whole list for photos that are all gone', async () => {
  const { server, asked, refresh, read } = setUp(2000, undefined, 200);
  server.splice(0, 200);
  await refresh();
  expect(idsOf(read().photos)).toEqual(idsOf(server.slice(0, 200)));
  expect(asked).toEqual(['head 20', 'p219 200', 'head 200', 'ids']);
});

it('loads no more photos because others come behind those that are loaded', async () => {
  const { server, refresh, move, read } = setUp(1000, undefined, 200);
  for (let round = 0; round < 3; round += 1) {
    server.push(...Array.from({ length: 50 }, (_, index) => aPhoto({ id: `n${round}-${index}` })));
    move(5, 2);
    await refresh();
  }
  expect(idsOf(read().photos)).toEqual(idsOf(server.slice(0, 200)));
  expect(read()).toMatchObject({ total: 1150, nextCursor: server[199]?.id });
});

it('fetches all that is loaded again some time before its links end, and shows the photos by the new links', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const hour = 3_600_000;
  const { server, asked, refresh, read } = setUp(500);
  vi.setSystemTime(Date.now() + 4 * hour);
  await refresh();
  expect(asked).toEqual(['head 20']);
  for (const [index, photo] of server.entries())
    server[index] = { ...photo, url: `${photo.url}?again`, thumbnail_url: `${photo.thumbnail_url}?again` };
  asked.length = 0;
  vi.setSystemTime(Date.now() + 1.5 * hour);
  await refresh();
  expect(asked).toEqual(['head 200', 'p199 200', 'p399 200']);
  expect(read().photos).toEqual(server);
  asked.length = 0;
  await refresh();
  expect(asked).toEqual(['head 20']);
});
