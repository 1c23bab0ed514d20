import { expect, test } from 'vitest';
import { type Focus, position, positionIn } from './renditions';

/** Where in its box, as a fraction, the focus is that `object-position` of this percentage leaves there. */
const shownAt = (percent: number, place: number, shown: number): number =>
  (place - (percent / 100) * (1 - shown)) / shown;

test('without a known face, or size, the style sheet holds', () => {
  expect(position(undefined)).toBeUndefined();
  expect(positionIn(undefined, 3, 2)).toBeUndefined();
  expect(positionIn({ x: 0.5, y: 0.5 }, 0, 0)).toBeUndefined();
  for (const broken of [
    null,
    'x',
    {},
    { x: 0.5 },
    { x: '0.5', y: 0.5 },
    { x: -1, y: 0.5 },
    { x: NaN, y: 0.5 },
  ])
    expect(positionIn(broken as Focus, 3, 2)).toBeUndefined();
});

test('of unknown proportions the faces are in sight, however much is cropped', () => {
  for (const shown of [0.2, 0.35, 0.5, 0.8, 0.95])
    for (const place of [0, 0.1, 0.25, 0.5, 0.6, 0.9, 1]) {
      const [x = NaN, y = NaN] = (position({ x: place, y: place }) ?? '').split(' ').map(parseFloat);
      expect(x).toBe(y);
      const at = shownAt(x, place, shown);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(1);
      // Nearer to the middle than a plain percentage takes them.
      expect(Math.abs(at - 0.5)).toBeLessThanOrEqual(Math.abs(place - 0.5) + 1e-9);
    }
});

test('of known proportions they are in the middle, as far as the picture reaches', () => {
  expect(positionIn({ x: 0.3, y: 0.25 }, 3000, 2000)).toBe(
    'clamp(100cqw - max(100cqw, 150cqh), 50cqw - 0.3 * max(100cqw, 150cqh), 0px) ' +
      'clamp(100cqh - max(100cqh, 66.66666666666667cqw), 50cqh - 0.25 * max(100cqh, 66.66666666666667cqw), 0px)',
  );
});
