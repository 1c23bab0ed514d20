/** Not in the first load: it is there before a selfie is. */
import { t } from '@lingui/core/macro';
import { blobOfDataUrl, type Selfie } from './selfie';

export const invalidImageText = (): string => t`Invalid image data provided for search.`;

/** Long sides in px: large enough for a face, small enough for a slow network and session storage. */
const sentSide = 1600;
const previewSide = 720;
/** Maximum size in bytes of a file that is its own preview if the browser cannot scale it. */
const wholePreviewLimit = 2_000_000;

const shownEverywhere = /^image\/(jpeg|png|gif|webp|bmp)$/;
function blobOf(input: unknown): Blob {
  if (input instanceof Blob) return input;
  if (typeof input === 'string') {
    const blob = blobOfDataUrl(input);
    if (blob !== null) return blob;
  }
  throw new Error(invalidImageText());
}

function wholeAsDataUrl(image: Blob): Promise<string | null> {
  if (image.size > wholePreviewLimit || !shownEverywhere.test(image.type)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : null);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(image);
  });
}

function scaled(bitmap: ImageBitmap, side: number): HTMLCanvasElement | null {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export const jpegOf = (canvas: HTMLCanvasElement): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));

/**
 * Converts a file, a capture or a data URL to an upright image, no larger than a face search needs.
 * An image that the browser cannot decode is used unchanged: the server may support it.
 * Throws with the message to show if the input is no image.
 */
export async function prepareSelfie(input: unknown): Promise<Selfie> {
  const original = blobOf(input);
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(original, { imageOrientation: 'from-image' });
  } catch {
    return { image: original, preview: await wholeAsDataUrl(original) };
  }
  try {
    const large = Math.max(bitmap.width, bitmap.height) > sentSide;
    const smaller = large ? scaled(bitmap, sentSide) : null;
    const image = (smaller === null ? null : await jpegOf(smaller)) ?? original;
    const preview = scaled(bitmap, previewSide)?.toDataURL('image/jpeg', 0.85) ?? null;
    return { image, preview };
  } finally {
    bitmap.close();
  }
}
