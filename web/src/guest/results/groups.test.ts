import { expect, test } from 'vitest';
import { searchResult } from '../testing';
import { groups, resultOf } from './groups';

test('a blurred selfie is said beside the photos of its guest, and not beside a friend’s', () => {
  const mine = searchResult({ blurred: true });
  const said = groups.filter((group) => resultOf(group, mine, searchResult()).blurred);
  expect(said).toEqual(['both', 'either', 'me']);
});
