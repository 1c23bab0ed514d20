import { expect, it } from 'vitest';
import { type Stack, stackPhotos } from './stacks';

const photo = (name: string, stack?: Stack) => ({ name, stack });
const names = (photos: readonly { name: string }[]) => photos.map(({ name }) => name).join('');
const closed = () => false;

it('shows of each stack the best of those that are there, in the place of the first', () => {
  // [GAL502]
  const photos = [
    photo('a'),
    photo('b', { id: 'x', place: 2 }),
    photo('c', { id: 'y', place: 3 }),
    photo('d', { id: 'x', place: 1 }),
    photo('e', { id: 'x', place: 4 }),
    photo('f'),
  ];
  const list = stackPhotos(photos, closed);
  expect(names(list.photos)).toBe('adcf');
  expect(list.moments).toBe(4);
  const [a, b, c, d] = photos.map(list.stackOf);
  expect([a, c]).toEqual([undefined, undefined]);
  expect(d).toEqual({ id: 'x', size: 3, isOpen: false, isBest: true });
  expect(b).toMatchObject({ size: 3, isBest: false });

  const open = stackPhotos(photos, (id) => id === 'x');
  expect(names(open.photos)).toBe('adbecf');
  expect(open.moments).toBe(4);
});

it('gives back the same photos where none are alike', () => {
  const photos = [photo('a'), photo('b', { id: 'x', place: 0 })];
  expect(stackPhotos(photos, closed).photos).toBe(photos);
  expect(stackPhotos(photos, closed).moments).toBe(2);
});
