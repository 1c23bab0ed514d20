import { expect, test } from 'vitest';
import { photoName } from './photoName';

test('[FACE528] the name of a photo says which it is, its album, and its time by the clock of the camera', () => {
  expect(photoName(3, 13, null, null)).toBe('Photo 3 of 13');
  expect(photoName(3, 13, 'Ceremony', null)).toBe('Photo 3 of 13, Ceremony');
  expect(photoName(3, 13, null, '2026-11-14T18:30:05.120')).toBe('Photo 3 of 13, Sat, 18:30');
  expect(photoName(3, 13, 'Ceremony', '2026-11-15T00:05:00')).toBe('Photo 3 of 13, Ceremony, Sun, 00:05');
});

test('a time that is none is left out', () => {
  expect(photoName(1, 2, null, 'yesterday')).toBe('Photo 1 of 2');
});
