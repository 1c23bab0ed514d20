import { expect, test } from 'vitest';
import { sameOrigin } from './links';

test('a link to the files of the API is rewritten to the origin of the page', () => {
  expect(sameOrigin('https://photos.example/api/files/ab/cd?size=preview&sig=x')).toBe(
    '/api/files/ab/cd?size=preview&sig=x',
  );
  expect(sameOrigin('/api/files/ab')).toBe('/api/files/ab');
});

test('a link to an object store and an invalid URL are left unchanged', () => {
  expect(sameOrigin('https://bucket.example/api/other?sig=x')).toBe('https://bucket.example/api/other?sig=x');
  expect(sameOrigin('https://[')).toBe('https://[');
});
