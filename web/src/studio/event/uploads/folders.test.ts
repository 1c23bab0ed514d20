import { describe, expect, it } from 'vitest';
import { folderAlbums, folderOf, pathOf, rememberPath } from './folders';

const at = (path: string) => {
  const file = new File(['x'], path.split('/').at(-1) ?? '', { type: 'image/jpeg' });
  rememberPath(file, path);
  return { file };
};
const albums = (...paths: string[]) =>
  folderAlbums(paths.map(at)).map(({ name, items }) => `${name}: ${items.length}`);

describe('folders', () => {
  it('are known of files that were dropped with them, or chosen in an input', () => {
    expect(folderOf(at('/Wedding/Ceremony/a.jpg').file)).toBe('Wedding/Ceremony');
    expect(pathOf(at('/Wedding/a.jpg').file)).toBe('Wedding/a.jpg');
    expect(pathOf(at('/a.jpg').file)).toBe('a.jpg');
    const chosen = new File(['x'], 'b.jpg');
    Object.defineProperty(chosen, 'webkitRelativePath', { value: 'Party/b.jpg' });
    expect(folderOf(chosen)).toBe('Party');
  });

  it('become albums of their names [GAL403]', () => {
    expect(albums('Ceremony/a.jpg', 'Ceremony/b.jpg', 'Party/c.jpg')).toEqual(['Ceremony: 2', 'Party: 1']);
    expect(albums('Wedding/Ceremony/a.jpg', 'Wedding/Party/b.jpg', 'Wedding/c.jpg')).toEqual([
      'Ceremony: 1',
      'Party: 1',
    ]);
    expect(albums('Ceremony/a.jpg', 'Party/b.jpg', 'c.jpg')).toEqual(['Ceremony: 1', 'Party: 1']);
    expect(albums('Party/a.jpg', 'Party/Dance/b.jpg', 'Dinner/c.jpg')).toEqual([
      'Party: 1',
      'Dance: 1',
      'Dinner: 1',
    ]);
  });

  it('of the same name are told apart by the folder around them, and are one where that has the same too', () => {
    expect(albums('Day 1/Dinner/a.jpg', 'Day 2/dinner/b.jpg', 'Day 2/Party/c.jpg')).toEqual([
      'Day 1 / Dinner: 1',
      'Day 2 / dinner: 1',
      'Party: 1',
    ]);
    expect(albums('A/Day/Dinner/a.jpg', 'B/Day/Dinner/b.jpg')).toEqual(['Day / Dinner: 2']);
  });

  it('are none where there is one folder or none', () => {
    expect(albums('a.jpg', 'b.jpg')).toEqual([]);
    expect(albums('Party/a.jpg', 'Party/b.jpg')).toEqual([]);
    expect(albums('Party/a.jpg', 'b.jpg')).toEqual([]);
    expect(albums()).toEqual([]);
  });

  it('have names that albums may have', () => {
    const long = 'x'.repeat(80);
    expect(albums(`${long}/a.jpg`, 'Party/b.jpg')).toEqual([`${'x'.repeat(60)}: 1`, 'Party: 1']);
  });
});
