import { wrapText } from './wrapText';
import { type Color, type Coverage, decimal } from './pdf';

/** Dots of a line drawing, as printers have them. */
const dotsPerMillimetre = 600 / 25.4;
/** Room for the letters of all scripts above and below the line that they stand on, as parts of their size. */
const above = 1.08;
const below = 0.42;
const lineHeight = 1.28;

export interface Style {
  family: string;
  weight: number;
  /** Millimetres: the largest size, and that below which words are cut. */
  size: number;
  smallest: number;
  lines: number;
  ink: Color;
  ground: Color;
  direction: 'ltr' | 'rtl';
}

/** Text as it is printed: millimetres, and the pixels. */
export interface Lettering {
  width: number;
  height: number;
  coverage: Coverage;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('the browser has no canvas');
  return context;
}

/** Whether no word is cut or broken. */
function isWhole(text: string, lines: readonly string[]): boolean {
  const wordsOf = (part: string) => part.trim().split(/\s+/u);
  return lines.flatMap(wordsOf).join(' ') === wordsOf(text).join(' ');
}

/** As many lines as there are, of about the same length: no word stands alone where it need not. */
function balanced(text: string, lines: string[], linesWithin: (part: number) => string[]): string[] {
  if (!isWhole(text, lines)) return lines;
  for (let part = 0.5; part < 1; part += 0.05) {
    const narrower = linesWithin(part);
    if (narrower.length === lines.length && isWhole(text, narrower)) return narrower;
  }
  return lines;
}

/** Letters a text within a box, centred, as large as it fits. */
export async function letter(
  text: string,
  style: Style,
  room: { width: number; height: number },
): Promise<Lettering> {
  const fontOf = (size: number) => `${style.weight} ${decimal(size * dotsPerMillimetre)}px ${style.family}`;
  // A web font that is not there yet is not waited for by a canvas.
  if ('fonts' in document) await document.fonts.load(fontOf(style.size), text).catch(() => undefined);
  const canvas = document.createElement('canvas');
  const context = contextOf(canvas);
  const width = Math.ceil(room.width * dotsPerMillimetre);
  const heightOf = (size: number, lines: number) => size * (above + below + (lines - 1) * lineHeight);
  const linesWithin = (limit: number) =>
    wrapText(text, (line) => context.measureText(line).width <= limit, style.lines);

  let { size } = style;
  let lines: string[];
  for (;;) {
    context.font = fontOf(size);
    lines = linesWithin(width);
    if (isWhole(text, lines) && heightOf(size, lines.length) <= room.height) break;
    if (size <= style.smallest) break;
    size = Math.max(style.smallest, size * 0.94);
  }
  lines = balanced(text, lines, (part) => linesWithin(part * width));

  const height = Math.ceil(heightOf(size, lines.length) * dotsPerMillimetre);
  canvas.width = width;
  canvas.height = height;
  // A new size resets the context.
  context.font = fontOf(size);
  context.fillStyle = '#000';
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.direction = style.direction;
  const em = size * dotsPerMillimetre;
  lines.forEach((line, at) => context.fillText(line, width / 2, em * (above + at * lineHeight)));
  const { data } = context.getImageData(0, 0, width, height);
  const values = new Uint8Array(width * height);
  for (let at = 0; at < values.length; at += 1) values[at] = data[4 * at + 3] ?? 0;
  return {
    width: width / dotsPerMillimetre,
    height: height / dotsPerMillimetre,
    coverage: { width, height, values, ink: style.ink, ground: style.ground },
  };
}
