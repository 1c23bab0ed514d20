import { rememberPath } from './folders';

/** Reads dropped files, including those in nested directories. */

// react-dropzone's own reader fails for all files when one cannot be read, and copies its list for every file.

interface DroppedFiles {
  files: File[];
  /** The number of files that could not be read. */
  unreadable: number;
}

// Metadata files that operating systems add to directories.
export const isSystemFile = (name: string) =>
  name.startsWith('.') || name === 'Thumbs.db' || name === '__MACOSX';

const readEntries = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));

const readFile = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) =>
    entry.file((file) => {
      rememberPath(file, entry.fullPath);
      resolve(file);
    }, reject),
  );

/** Reads directories recursively, in batches of up to a hundred entries, and reports the number of files found. */
async function readDirectories(
  directories: FileSystemDirectoryEntry[],
  found: DroppedFiles,
  onFound: (count: number) => void,
) {
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const reader = directory.createReader();
    for (;;) {
      let entries: FileSystemEntry[];
      try {
        entries = await readEntries(reader);
      } catch {
        found.unreadable += 1;
        break;
      }
      if (entries.length === 0) break;
      const wanted = entries.filter(({ name }) => !isSystemFile(name));
      directories.push(
        ...wanted.filter((entry) => entry.isDirectory).map((entry) => entry as FileSystemDirectoryEntry),
      );
      const files = wanted.filter((entry) => entry.isFile).map((entry) => entry as FileSystemFileEntry);
      for (const result of await Promise.allSettled(files.map(readFile))) {
        if (result.status === 'fulfilled') found.files.push(result.value);
        else found.unreadable += 1;
      }
      onFound(found.files.length);
    }
  }
}

/** Returns all files of a drop; `onFound` is called with the number of files found so far. */
export async function readDroppedFiles(
  transfer: DataTransfer,
  onFound: (count: number) => void,
): Promise<DroppedFiles> {
  const found: DroppedFiles = { files: [], unreadable: 0 };
  const directories: FileSystemDirectoryEntry[] = [];
  // The items are only valid during the event: read all of them before the first `await`.
  for (const item of Array.from(transfer.items)) {
    if (item.kind !== 'file') continue;
    const entry = 'webkitGetAsEntry' in item ? item.webkitGetAsEntry() : null;
    if (entry?.isDirectory === true) {
      directories.push(entry as FileSystemDirectoryEntry);
      continue;
    }
    const file = item.getAsFile();
    if (file === null) found.unreadable += 1;
    else if (!isSystemFile(file.name)) found.files.push(file);
  }
  await readDirectories(directories, found, onFound);
  return found;
}

const imageExtensions = /\.(?:png|jpe?g|gif|bmp|tiff?|webp|hei[cf]|hif|avif)$/i;

/** Whether a file is an image by its type or, if the system reports none, by its extension. */
const isImage = ({ type, name }: File): boolean => type.startsWith('image/') || imageExtensions.test(name);

const rawExtensions =
  /\.(?:3fr|arw|cr[23w]|dcr|dng|erf|fff|gpr|iiq|kdc|mos|mrw|nef|nrw|orf|pef|raf|raw|rw2|rwl|sr2|srf|srw|x3f)$/i;

const withoutExtension = (name: string) => name.replace(/\.[^.]*$/, '').toLowerCase();

/** The names of chosen files that are not uploaded. */
export interface LeftOut {
  /** Raw images of cameras without a JPEG of the same name in the selection. */
  raw: readonly string[];
  /** What is no image. */
  other: readonly string[];
  /** The number of raw images whose JPEG, or other image of the same name, is in the selection. */
  developed: number;
}

/** Splits chosen files into images to upload and the rest. A camera may report its raw files as images. */
export function sortFiles(files: readonly File[]): { images: File[]; leftOut: LeftOut } {
  const images: File[] = [];
  const raw: string[] = [];
  const other: string[] = [];
  for (const file of files) {
    if (rawExtensions.test(file.name)) raw.push(file.name);
    else if (isImage(file)) images.push(file);
    else other.push(file.name);
  }
  const developed = new Set(images.map(({ name }) => withoutExtension(name)));
  const alone = raw.filter((name) => !developed.has(withoutExtension(name)));
  return { images, leftOut: { raw: alone, other, developed: raw.length - alone.length } };
}
