import { fonts } from '../../../ui/theme/tokens';
import { wrapText } from '../print/wrapText';

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

const nameSize = 72;
const lineHeight = 1.25;
const maxLines = 3;

/** The QR code to print: 1200 px wide, with the event's name below it. */
export async function drawNamedQrCode(url: string, name: string): Promise<string> {
  const code = new Image();
  code.src = await drawQrCode(url, downloadWidth);
  await code.decode();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas');
  const font = `600 ${nameSize}px ${fonts.display}`;
  context.font = font;
  const lines = wrapText(
    name,
    (line) => context.measureText(line).width <= downloadWidth - 2 * nameSize,
    maxLines,
  );
  canvas.width = downloadWidth;
  canvas.height = downloadWidth + Math.round(nameSize * (lines.length * lineHeight + 1));
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(code, 0, 0);
  // A new size resets the context.
  context.font = font;
  context.fillStyle = '#000000';
  context.textAlign = 'center';
  context.textBaseline = 'top';
  lines.forEach((line, index) =>
    context.fillText(line, downloadWidth / 2, downloadWidth + index * nameSize * lineHeight),
  );
  return canvas.toDataURL('image/png');
}
