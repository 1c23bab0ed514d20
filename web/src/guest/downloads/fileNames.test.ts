import { expect, test } from 'vitest';
import { match } from '../testing';
import { bulkFileName, ownNames, singleFileName, webFileName } from './fileNames';

test('[DOWN006] a single download is named by the last part of its s3_key, with the extension of the original', () => {
  expect(singleFileName(match(1, { s3_key: 'a/b/c.png' }), 4)).toBe('c.png');
  expect(singleFileName(match(1, { s3_key: 'a/b/c', filename: 'X.JPEG' }), 4)).toBe('c.JPEG');
  expect(singleFileName(match(1, { s3_key: 'c', filename: null }), 4)).toBe('c.jpg');
});

test('[DOWN007] a single download without s3_key is named match-{n}.jpg', () => {
  expect(singleFileName(match(1, { s3_key: null }), 4)).toBe('match-4.jpg');
});

test('[DOWN008] [DOWN035] download-all names its files photo-{n}.jpg; other formats keep their ending', () => {
  expect(bulkFileName(match(1), 12)).toBe('photo-12.jpg');
  expect(bulkFileName(match(1, { filename: 'a.jpeg' }), 12)).toBe('photo-12.jpg');
  expect(bulkFileName(match(1, { filename: null }), 12)).toBe('photo-12.jpg');
  expect(bulkFileName(match(1, { filename: 'a.HEIC' }), 2)).toBe('photo-2.heic');
});

test('[DOWN100] files that keep their names are saved under them, safe and none twice', () => {
  const files = [
    'DSC_1.JPG',
    'dsc_1.jpg',
    'a/b:c.png',
    '..',
    null,
    'Dr. Rao',
    'IMG.HEIC',
    'M\u00fc.jpg',
    'MU\u0308.jpg',
  ];
  const matches = files.map((filename, index) => match(index, { filename }));
  const names = ownNames(matches, false).map((named, index) => bulkFileName(named, index + 1));
  const expected = [
    'DSC_1.JPG',
    'dsc_1 (2).jpg',
    'a_b_c.png',
    'photo.jpg',
    'photo (2).jpg',
    'Dr. Rao.jpg',
    'IMG.HEIC',
    'M\u00fc.jpg',
    'MU\u0308 (2).jpg',
  ];
  expect(names).toEqual(expected);
  expect(ownNames(matches, true).map((named) => singleFileName(named, 1))[6]).toBe('IMG.jpg');
  const [first] = ownNames(matches, false);
  expect(first && webFileName(first, 1)).toBe('DSC_1.jpg');
});
