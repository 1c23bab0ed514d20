import { expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { type Gallery, galleryOf } from './gallery';
import { refreshGallery } from './refreshGallery';

/** A server with photos, and a gallery that has loaded them all. */
function setUp(count: number, moments: () => number | null = () => null) {
  const server = Array.from({ length: count }, (_, index) => aPhoto({ id: `p${index}` }));
  const asked: string[] = [];
  let gallery: Gallery = galleryOf({ photos: [...server], total_count: count, next_cursor: null });
  const refresh = () =>
    refreshGallery(
      {
        read: () => gallery,
        write: (next) => {
          gallery = next;
        },
      },
      (cursor, limit) => {
        asked.push(`${cursor ?? 'head'} ${limit}`);
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
    );
  return { server, asked, refresh, read: () => gallery };
}

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
