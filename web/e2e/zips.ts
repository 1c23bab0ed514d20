/** What the central directory (APPNOTE 4.3.12) says of a ZIP's files: names, sizes, and where their local headers are. */
function directoryOf(zip: Buffer): { name: string; size: number; header: number }[] {
  const files: { name: string; size: number; header: number }[] = [];
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const length = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + length);
    files.push({ name, size: zip.readUInt32LE(at + 24), header: zip.readUInt32LE(at + 42) });
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

/** The names in a ZIP. */
export const entriesOf = (zip: Buffer): string[] => directoryOf(zip).map(({ name }) => name);

/** The files of a ZIP by their names; they are stored as they are (APPNOTE 4.3.7). */
export function filesOf(zip: Buffer): Map<string, Buffer> {
  const files = directoryOf(zip).map(({ name, size, header }): [string, Buffer] => {
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    return [name, zip.subarray(start, start + size)];
  });
  return new Map(files);
}
