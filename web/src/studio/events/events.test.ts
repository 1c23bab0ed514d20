import { expect, test } from 'vitest';
import { aPhoto } from '../../testing/fixtures';
import { coverChoice } from './events';

test('a few people, not upright, stand for an event, and then whatever is searchable', () => {
  const wide = { width: 6000, height: 4000 };
  const upright = { width: 4000, height: 6000 };
  const photos = [
    aPhoto({ id: 'nobody', faces: 0, ...wide }),
    aPhoto({ id: 'crowd', faces: 40, ...wide }),
    aPhoto({ id: 'upright', faces: 1, ...upright }),
    aPhoto({ id: 'waiting', faces: 0, status: 'processing', ...wide }),
    aPhoto({ id: 'couple', faces: 2, ...wide }),
    aPhoto({ id: 'three', faces: 3, ...wide }),
  ];
  const ids = (list: typeof photos) => coverChoice(list).map(({ id }) => id);
  expect(ids(photos)).toEqual(['couple', 'three', 'upright']);
  expect(ids(photos.slice(0, 2))).toEqual(['crowd', 'nobody']);
  expect(ids([aPhoto({ id: 'bare', thumbnail_url: null })])).toEqual([]);
});
