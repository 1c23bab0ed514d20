/**
 * Files in the order in which they are uploaded: by the time in their file, which is that of the photo on a camera's card,
 * then by name. Where the credit ends, the last photos are left and not those that a folder happens to list last.
 */
export const inUploadOrder = (files: readonly File[]): File[] =>
  [...files].sort(
    (one, other) =>
      one.lastModified - other.lastModified ||
      one.name.localeCompare(other.name, 'en', { numeric: true, sensitivity: 'base' }),
  );
