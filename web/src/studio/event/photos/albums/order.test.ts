import { expect, it } from 'vitest';
import { swapWithPrevious } from './order';

const items = ['a', 'b', 'c'].map((id) => ({ id }));
const order = (id: string) =>
  swapWithPrevious(items, id)
    .map((item) => item.id)
    .join('');

it('moves an album before the one that it followed', () => {
  expect(order('b')).toBe('bac');
  expect(order('c')).toBe('acb');
  expect(order('a')).toBe('abc');
  expect(order('unknown')).toBe('abc');
});
