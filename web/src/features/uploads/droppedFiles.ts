/** Reads what was dropped or chosen, folders and their folders too. */

// react-dropzone's own reader gives up on all files when one cannot be read, and copies its list for every file.

interface Dropped {
  files: File[];
  /** Files that could not be opened. */
  unreadable: number;
}

// What systems put into folders beside the photos.
const isLitter = (name: string) => name.startsWith('.') || name === 'Thumbs.db' || name === '__MACOSX';

const listNext = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));

const openEntry = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** Walks the folders, a hundred entries at a time, and tells now and then how many files it has found. */
async function walk(folders: FileSystemDirectoryEntry[], found: Dropped, onFound: (count: number) => void) {
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const reader = folder.createReader();
    for (;;) {
      let entries: FileSystemEntry[];
      try {
        entries = await listNext(reader);
      } catch {
        found.unreadable += 1;
        break;
      }
      if (entries.length === 0) break;
      const wanted = entries.filter(({ name }) => !isLitter(name));
      folders.push(
        ...wanted.filter((entry) => entry.isDirectory).map((entry) => entry as FileSystemDirectoryEntry),
      );
      const files = wanted.filter((entry) => entry.isFile).map((entry) => entry as FileSystemFileEntry);
      for (const opened of await Promise.allSettled(files.map(openEntry))) {
        if (opened.status === 'fulfilled') found.files.push(opened.value);
        else found.unreadable += 1;
      }
      onFound(found.files.length);
    }
  }
}

/** Gives every file of a drop; `onFound` hears how far the reading of folders is. */
export async function readDropped(
  transfer: DataTransfer,
  onFound: (count: number) => void,
): Promise<Dropped> {
  const found: Dropped = { files: [], unreadable: 0 };
  const folders: FileSystemDirectoryEntry[] = [];
  // The items are gone once the event is over: all of them are taken before the first wait.
  for (const item of Array.from(transfer.items)) {
    if (item.kind !== 'file') continue;
    const entry = 'webkitGetAsEntry' in item ? item.webkitGetAsEntry() : null;
    if (entry?.isDirectory === true) {
      folders.push(entry as FileSystemDirectoryEntry);
      continue;
    }
    const file = item.getAsFile();
    if (file === null) found.unreadable += 1;
    else if (!isLitter(file.name)) found.files.push(file);
  }
  await walk(folders, found, onFound);
  return found;
}

const endings = /\.(?:png|jpe?g|gif|bmp|tiff?|webp|hei[cf])$/i;

/** Whether a file calls itself an image, by its type or, where the system knows none, by its ending. */
export const isImage = ({ type, name }: File): boolean => type.startsWith('image/') || endings.test(name);
