/** The width that the server keeps of a picture, in pixels. */
const width = 800;
const family = '"Instrument Sans Variable", "Instrument Sans", system-ui, sans-serif';
const fontOf = (size: number) => `600 ${size}px ${family}`;
/** Room round the letters, as a part of their size. */
const margin = 0.1;
/** Letters of a short text need not be as wide as the picture. */
const largest = 200;

/** A text in black on white, as a PNG file, in the fonts of this browser. */
export async function letterWatermark(text: string): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas');
  // A web font that is not there yet is not waited for by a canvas.
  if ('fonts' in document) await document.fonts.load(fontOf(largest), text).catch(() => undefined);
  context.font = fontOf(100);
  const { width: wide } = context.measureText(text);
  const size = Math.min(largest, Math.floor((100 * width) / (wide + 200 * margin)));
  context.font = fontOf(size);
  const measured = context.measureText(text);
  const room = size * margin;
  // Signs above and below the letters, as Indic scripts have them, are part of what is measured.
  const above = measured.actualBoundingBoxAscent + room;
  canvas.width = Math.ceil(measured.width + 2 * room);
  canvas.height = Math.ceil(above + measured.actualBoundingBoxDescent + room);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  // A new size has reset the context.
  context.font = fontOf(size);
  context.fillStyle = '#000';
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.fillText(text, canvas.width / 2, above);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('the browser cannot write the picture of a text');
  return blob;
}
