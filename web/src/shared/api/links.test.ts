import { expect, test } from 'vitest';
import { sameOrigin } from './links';

test('a link to our own files is followed on the origin the page came from', () => {
  expect(sameOrigin('https://photos.example/api/files/ab/cd?size=preview&sig=x')).toBe(
    '/api/files/ab/cd?size=preview&sig=x',
  );
  expect(sameOrigin('/api/files/ab')).toBe('/api/files/ab');
});

test('a link to an object store, and what is no link, stay as they are', () => {
  expect(sameOrigin('https://bucket.example/api/other?sig=x')).toBe('https://bucket.example/api/other?sig=x');
  expect(sameOrigin('https://[')).toBe('https://[');
});
