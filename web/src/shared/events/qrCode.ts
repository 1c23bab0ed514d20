// The encoder is fetched when the first code is asked for.
const encoder = () => import('qrcode');

const look = { margin: 2, color: { dark: '#000000', light: '#ffffff' } };
export const previewWidth = 300;
export const downloadWidth = 1200;

export const qrFileName = (slug: string): string => `qr-code-${slug}.png`;

/** A link as a picture, black on white in either theme; `width` in px. Gives a data URL of a PNG. */
export async function drawQrCode(url: string, width: number): Promise<string> {
  const { toDataURL } = await encoder();
  return toDataURL(url, { ...look, width });
}
