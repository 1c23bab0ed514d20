import { describe, expect, it } from 'vitest';
import { isGridMove, movedTo, touchedBy } from './gridKeys';

const place = (id: string, left: number, width: number) => ({ photo: { id }, left, width });
const rows = [
  { top: 0, height: 100, photos: [place('a', 0, 100), place('b', 110, 200)] },
  { top: 110, height: 100, photos: [place('c', 0, 150), place('d', 160, 150)] },
  { top: 220, height: 50, photos: [place('e', 0, 300)] },
];

describe('the keys of the grid', () => {
  it.each([
    ['a', 'ArrowRight', 'b'],
    ['b', 'ArrowRight', 'c'],
    ['e', 'ArrowRight', 'e'],
    ['c', 'ArrowLeft', 'b'],
    ['a', 'ArrowLeft', 'a'],
    ['b', 'ArrowDown', 'd'],
    ['a', 'ArrowDown', 'c'],
    ['d', 'ArrowDown', 'e'],
    ['e', 'ArrowDown', 'e'],
    ['e', 'ArrowUp', 'c'],
    ['a', 'ArrowUp', 'a'],
    ['d', 'Home', 'c'],
    ['c', 'End', 'd'],
  ] as const)('lead from %s by %s to %s', (from, key, to) => {
    expect(isGridMove(key)).toBe(true);
    expect(movedTo(rows, from, key)?.id).toBe(to);
  });

  it('lead nowhere from a photo that is gone', () => {
    expect(movedTo(rows, 'x', 'ArrowDown')).toBeUndefined();
    expect(isGridMove('a')).toBe(false);
  });
});

describe('a rectangle', () => {
  it('touches what it covers a part of', () => {
    expect(touchedBy(rows, { left: 105, top: 10, right: 108, bottom: 20 })).toEqual([]);
    expect(touchedBy(rows, { left: 90, top: 90, right: 120, bottom: 120 })).toEqual(['a', 'b', 'c']);
    expect(touchedBy(rows, { left: 0, top: 0, right: 400, bottom: 400 })).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
