import { expect, test } from 'vitest';
import { match } from '../testing';
import { bulkFileName, singleFileName } from './fileNames';

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
