// Imported on demand: most pages show no QR code.
const importEncoder = () => import('qrcode');

const options = { margin: 2, color: { dark: '#000000', light: '#ffffff' } };
export const previewWidth = 300;
export const downloadWidth = 1200;

export const qrFileName = (slug: string): string => `qr-code-${slug}.png`;

/** Renders a QR code, black on white in both themes, as the data URL of a PNG; `width` in px. */
export async function drawQrCode(url: string, width: number): Promise<string> {
  const { toDataURL } = await importEncoder();
  return toDataURL(url, { ...options, width });
}
