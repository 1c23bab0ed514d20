/** The folders that files were dropped or chosen with, from which albums can be made. */

const folders = new WeakMap<File, string>();

/** Remembers where a file lies, by its path such as `/Wedding/Ceremony/DSC_1.jpg`. */
export function rememberPath(file: File, path: string): void {
  const folder = path.split('/').filter(Boolean).slice(0, -1).join('/');
  if (folder !== '') folders.set(file, folder);
}

// Not every browser has it.
const chosenPath = ({ webkitRelativePath }: { webkitRelativePath?: string }): string =>
  webkitRelativePath ?? '';

/** The path of the folder that a file was dropped or chosen with; empty for one that was so by itself. */
export const folderOf = (file: File): string =>
  folders.get(file) ?? chosenPath(file).split('/').slice(0, -1).join('/');

/** A file's name with its folders, where it was dropped or chosen with such. */
export const pathOf = (file: File): string => [folderOf(file), file.name].filter(Boolean).join('/');

/** Longest name of an album, in characters. */
const longestName = 60;
const cut = (name: string): string => Array.from(name.trim()).slice(0, longestName).join('').trim();

/** The name as names of albums are compared. */
export const albumKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** An album that can be made of a folder. */
export interface FolderAlbum<Item> {
  name: string;
  items: readonly Item[];
}

/** How many folders from the outermost on all paths have in common. */
function sharedDepth([first = [], ...others]: readonly (readonly string[])[]): number {
  const isShared = (at: number) => others.every((path) => path[at] === first[at]);
  let depth = 0;
  while (depth < first.length && isShared(depth)) depth += 1;
  return depth;
}

/**
 * The albums that the folders of files would be, by the names of the folders that the files lie in; with the folder around it
 * where two have the same name. Files beside the folders are in none, and a single folder divides nothing.
 */
export function folderAlbums<Item extends { file: File }>(items: readonly Item[]): FolderAlbum<Item>[] {
  const byFolder = new Map<string, Item[]>();
  for (const item of items) {
    const folder = folderOf(item.file);
    const others = byFolder.get(folder);
    if (others === undefined) byFolder.set(folder, [item]);
    else others.push(item);
  }
  const all = [...byFolder].map(([folder, inside]) => ({ path: folder.split('/').filter(Boolean), inside }));
  const depth = sharedDepth(all.map(({ path }) => path));
  const divided = all.filter(({ path }) => path.length > depth);
  if (divided.length < 2) return [];
  const keys = divided.map(({ path }) => albumKey(path.at(-1) ?? ''));
  const isTwin = (key: string) => keys.indexOf(key) !== keys.lastIndexOf(key);
  const albums = new Map<string, FolderAlbum<Item>>();
  for (const { path, inside } of divided) {
    const parts = isTwin(albumKey(path.at(-1) ?? '')) ? path.slice(-2) : path.slice(-1);
    const name = cut(parts.join(' / '));
    if (name === '') continue;
    const before = albums.get(albumKey(name));
    albums.set(albumKey(name), {
      name: before?.name ?? name,
      items: [...(before?.items ?? []), ...inside],
    });
  }
  return [...albums.values()];
}
