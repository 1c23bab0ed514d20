import { expect, test } from 'vitest';
import { searchResult } from '../testing';
import { linkHasExpired } from './linkExpiry';

const now = Date.UTC(2026, 10, 22, 12);
const result = searchResult({ receivedAt: now });
const seconds = now / 1000;
const hours = (count: number) => count * 3_600_000;

test.each([
  ['ours, in time', `/api/files/a.jpg?expires=${seconds + 60}&signature=x`, false],
  ['ours, too late', `/api/files/a.jpg?expires=${seconds - 1}&signature=x`, true],
  ['a bucket’s, in time', 'https://b.example/a?X-Amz-Date=20261122T070000Z&X-Amz-Expires=21600', false],
  ['a bucket’s, too late', 'https://b.example/a?X-Amz-Date=20261122T050000Z&X-Amz-Expires=21600', true],
])('a link says until when it is valid: %s', (_, link, expired) => {
  expect(linkHasExpired(link, result, now)).toBe(expired);
});

test('one that does not say so is as old as its result', () => {
  expect(linkHasExpired('/photo.jpg', result, now + hours(5))).toBe(false);
  expect(linkHasExpired('/photo.jpg', result, now + hours(7))).toBe(true);
  expect(linkHasExpired('https://', result, now + hours(7))).toBe(true);
});
