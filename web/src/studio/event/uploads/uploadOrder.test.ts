import { expect, test } from 'vitest';
import { inUploadOrder } from './uploadOrder';

const file = (name: string, lastModified: number) => new File(['x'], name, { lastModified });

test('files are uploaded by their time, and by name where it is the same [UPL240]', () => {
  const files = [
    file('b.jpg', 5),
    file('IMG_10.jpg', 7),
    file('z.jpg', 1),
    file('img_9.jpg', 7),
    file('a.jpg', 5),
  ];
  expect(inUploadOrder(files).map(({ name }) => name)).toEqual([
    'z.jpg',
    'a.jpg',
    'b.jpg',
    'img_9.jpg',
    'IMG_10.jpg',
  ]);
  expect(files[0]?.name).toBe('b.jpg');
});
