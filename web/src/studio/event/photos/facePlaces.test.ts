import { expect, it } from 'vitest';
import { withinPhoto } from './facePlaces';

it('leaves a box in the photo as it is, and cuts one at the border off there', () => {
  const inside = { x: 0.25, y: 0.5, width: 0.25, height: 0.125 };
  expect(withinPhoto(inside)).toEqual(inside);
  expect(withinPhoto({ x: -0.25, y: 0.75, width: 0.5, height: 0.5 })).toEqual({
    x: 0,
    y: 0.75,
    width: 0.25,
    height: 0.25,
  });
});
