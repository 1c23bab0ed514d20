import { expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import {
  deselectPhotos,
  extendSelection,
  noSelection,
  selectionInSight,
  selectPhotos,
  togglePhoto,
} from './selection';

const photos = ['a', 'b', 'c', 'd', 'e'].map((id) => aPhoto({ id }));
const chosenOf = ({ chosen }: { chosen: ReadonlySet<string> }) => [...chosen].sort();

it('chooses and leaves out one photo at a time', () => {
  const one = togglePhoto(noSelection, 'b');
  expect(chosenOf(one)).toEqual(['b']);
  expect(chosenOf(togglePhoto(one, 'b'))).toEqual([]);
});

it('adds the range from the photo clicked last, in both directions, and widens it from the same one', () => {
  const from = togglePhoto(noSelection, 'c');
  const down = extendSelection(from, 'e', photos);
  expect(chosenOf(down)).toEqual(['c', 'd', 'e']);
  expect(chosenOf(extendSelection(down, 'a', photos))).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('starts at the photo itself when the one clicked last is not visible', () => {
  const hidden = togglePhoto(noSelection, 'a');
  expect(chosenOf(extendSelection(hidden, 'd', photos.slice(2)))).toEqual(['a', 'd']);
  expect(chosenOf(extendSelection(noSelection, 'd', photos))).toEqual(['d']);
});

it('counts hidden photos separately, and deleted ones not at all', () => {
  const all = selectPhotos(
    togglePhoto(noSelection, 'deleted'),
    photos.map(({ id }) => id),
  );
  expect(selectionInSight(all, photos, photos.slice(0, 2))).toEqual({ ids: ['a', 'b'], hidden: 3 });
  expect(selectionInSight(deselectPhotos(all, ['a']), photos, photos)).toEqual({
    ids: ['b', 'c', 'd', 'e'],
    hidden: 0,
  });
  expect(selectionInSight(noSelection, photos, photos)).toEqual({ ids: [], hidden: 0 });
});

it('counts photos that are not loaded by their ids, each once', () => {
  const all = selectPhotos(noSelection, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  const [loaded, two] = [photos.slice(0, 3), photos.slice(0, 2)];
  expect(selectionInSight(all, loaded, two, ['d', 'e'])).toEqual({ ids: ['a', 'b', 'd', 'e'], hidden: 1 });
  expect(selectionInSight(all, loaded, two, ['d'], ['d', 'c', 'f', 'x'])).toEqual({
    ids: ['a', 'b', 'd'],
    hidden: 2,
  });
});
