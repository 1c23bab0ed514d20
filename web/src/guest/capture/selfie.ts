/** A selfie: the image to upload and its preview. */
export interface Selfie {
  image: Blob;
  /** A data URL; null if the browser cannot display the image. */
  preview: string | null;
}

const dataUrl = /^data:(image\/[a-z0-9.+-]+)(;base64)?,/i;

/** The image of a data URL; null if it is none. */
export function blobOfDataUrl(url: string): Blob | null {
  const [head, type, base64] = dataUrl.exec(url) ?? [];
  if (head === undefined || type === undefined) return null;
  const body = url.slice(head.length);
  try {
    const bytes =
      base64 === undefined
        ? new TextEncoder().encode(decodeURIComponent(body))
        : Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type });
  } catch {
    return null;
  }
}

/** A selfie restored from its preview, which is then also the image to search with; null if that is damaged. */
export function selfieFromPreview(preview: string): Selfie | null {
  const image = blobOfDataUrl(preview);
  return image === null ? null : { image, preview };
}
