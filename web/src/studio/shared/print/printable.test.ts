import { inflateSync } from 'node:zlib';
import jsQR from 'jsqr';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Language, languages } from '../../../platform/i18n/languages';
import type { Style } from './lettering';
import { type PaperName, printable } from './printable';
import { encode, quietZone, svgOf } from './symbol';

interface Lettered {
  text: string;
  room: { width: number; height: number };
  style: Style;
}
const lettered = vi.hoisted(() => [] as Lettered[]);
// jsdom has no canvas: the texts are filled boxes, as large as their room and their lines allow.
vi.mock('./lettering', () => ({
  letter: (text: string, style: Style, room: { width: number; height: number }) => {
    lettered.push({ text, room, style });
    const height = Math.min(room.height, 1.5 * style.size * style.lines);
    const coverage = {
      width: 2,
      height: 1,
      values: new Uint8Array([0, 255]),
      ink: style.ink,
      ground: style.ground,
    };
    return Promise.resolve({ width: room.width, height, coverage });
  },
}));

const url = 'https://photos.studio.example/event/sangeet-k7m2x9q4tr';
const event = { name: 'Aanya & Rohan (Sangeet)', date: '2026-11-14', studio: null };
const languageOf = (tag: string) => languages.find((each) => each.tag === tag) as Language;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Reads black boxes as a camera does: `density` pixels for each unit, grey where a pixel is covered in part. */
function read(
  boxes: readonly Box[],
  page: { width: number; height: number },
  density: number,
): string | undefined {
  const [width, height] = [Math.round(page.width * density), Math.round(page.height * density)];
  const covered = new Float64Array(width * height);
  const overlap = (from: number, to: number, pixel: number) =>
    Math.max(0, Math.min(to, pixel + 1) - Math.max(from, pixel));
  for (const box of boxes) {
    const [left, right] = [box.x * density, (box.x + box.width) * density];
    const [top, bottom] = [box.y * density, (box.y + box.height) * density];
    for (let y = Math.floor(top); y < Math.min(bottom, height); y += 1)
      for (let x = Math.floor(left); x < Math.min(right, width); x += 1)
        covered[y * width + x] =
          (covered[y * width + x] ?? 0) + overlap(top, bottom, y) * overlap(left, right, x);
  }
  const pixels = new Uint8ClampedArray(4 * covered.length);
  covered.forEach((part, at) =>
    pixels.set([255 * (1 - part), 255 * (1 - part), 255 * (1 - part), 255], 4 * at),
  );
  return jsQR(pixels, width, height)?.data;
}

const bytesOf = (blob: Blob) =>
  new Promise<Buffer>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(Buffer.from(reader.result as ArrayBuffer));
    reader.readAsArrayBuffer(blob);
  });

/** What a reader of PDF finds: the objects by the table at the end, and the content of the page. */
async function parse(file: Blob) {
  const bytes = await bytesOf(file);
  const text = bytes.toString('latin1');
  expect(text.startsWith('%PDF-1.7\n')).toBe(true);
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(table, table + 5)).toBe('xref\n');
  const starts = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, start]) => Number(start));
  const objects = starts.map((start, at) => {
    const head = `${at + 1} 0 obj\n`;
    expect(text.slice(start, start + head.length)).toBe(head);
    return text.slice(start + head.length, text.indexOf('endobj', start));
  });
  const stream = /\/Length (\d+) >>\nstream\n/.exec(objects[3] ?? '');
  const from = (starts[3] ?? 0) + '4 0 obj\n'.length + (stream?.index ?? 0) + (stream?.[0].length ?? 0);
  const content = inflateSync(bytes.subarray(from, from + Number(stream?.[1]))).toString();
  return { text, objects, content };
}

const number = String.raw`(-?[\d.]+)`;

/** The boxes of the code: what is painted black. */
function codeOf(content: string): Box[] {
  const black = content.split('\n').find((line) => line.startsWith('0 g ')) ?? '';
  return [...black.matchAll(new RegExp(`${number} ${number} ${number} ${number} re`, 'g'))].map(
    ([, x, y, width, height]) => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }),
  );
}

/** The boxes of the texts. */
const picturesOf = (content: string): Box[] =>
  [...content.matchAll(new RegExp(`^q ${number} 0 0 ${number} ${number} ${number} cm`, 'gm'))].map(
    ([, width, height, x, bottom]) => ({
      x: Number(x),
      y: Number(bottom) + Number(height),
      width: Number(width),
      height: -Number(height),
    }),
  );

const bounds = (boxes: readonly Box[]) => ({
  left: Math.min(...boxes.map(({ x }) => x)),
  top: Math.min(...boxes.map(({ y }) => y)),
  right: Math.max(...boxes.map(({ x, width }) => x + width)),
  bottom: Math.max(...boxes.map(({ y, height }) => y + height)),
});

beforeEach(() => void lettered.splice(0));

/**
 * The pixels for a millimetre at a distance in metres: the video that a phone reads codes in is 1,920 of them wide and, with
 * a lens of 26 mm (for a frame of 36 mm), shows 1.38 m at 1 m.
 */
const seenFrom = (metres: number) => 1920 / (metres * 1000 * (36 / 26));

describe.each<[PaperName, number, number, string, number]>([
  ['a4', 210, 297, '595.2756 841.8898', 3],
  ['a6', 105, 148, '297.6378 419.5276', 1],
])('the print on %s', (paper, width, height, points, metres) => {
  // By a phone's lens of 26 mm, in a sharp picture 1,920 pixels wide.
  it(`is a page of that size, whose code leads to the event and is read from ${String(metres)} m`, async () => {
    const { objects, content } = await parse(await printable(event, url, languageOf('en'), paper));
    expect(objects[2]).toContain(`/MediaBox [0 0 ${points}]`);
    const code = codeOf(content);
    expect(read(code, { width, height }, 6)).toBe(url);
    expect(read(code, { width, height }, seenFrom(metres))).toBe(url);
  });

  it('leaves four modules of white round the code, and a margin on all sides', async () => {
    const logo = { width: 800, height: 400, bytes: new Uint8Array([255, 216]) };
    const named = { ...event, studio: { name: 'Studio Meera', logo, accent: null } };
    const { content } = await parse(await printable(named, url, languageOf('en'), paper));
    const code = bounds(codeOf(content));
    const { size } = await encode(url);
    const quiet = (quietZone * (code.right - code.left)) / size - 0.001;
    for (const box of picturesOf(content)) {
      const apart = box.y + box.height <= code.top - quiet || box.y >= code.bottom + quiet;
      expect(apart, JSON.stringify(box)).toBe(true);
      const margin = paper === 'a4' ? 13 : 7;
      expect(box.x).toBeGreaterThanOrEqual(margin - 0.01);
      expect(box.x + box.width).toBeLessThanOrEqual(width - margin + 0.01);
      expect(box.y + box.height).toBeLessThanOrEqual(height - margin + 0.01);
    }
    expect(code.left - quiet).toBeGreaterThan(0);
  });
});

describe('a print', () => {
  it('has name, date, link and three steps in the language of the guests', async () => {
    const { objects } = await parse(await printable(event, url, languageOf('hi'), 'a4'));
    expect(lettered.map(({ text }) => text)).toEqual([
      'Aanya & Rohan (Sangeet)',
      'शनिवार, 14 नवंबर 2026',
      'photos.studio.example/event/sangeet-k7m2x9q4tr',
      '1',
      'कोड स्कैन करें',
      '2',
      'सेल्फ़ी लें',
      '3',
      'अपनी फ़ोटो पाएँ',
    ]);
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');
    expect(objects[0]).toContain(`/Lang <${utf16('hi')}>`);
    expect(objects[4]).toContain(`/Title <${utf16(event.name)}>`);
    expect(objects[5]).toContain(`/URI (${url})`);
  });

  it('has the PIN beside the link where that is wished', async () => {
    const { objects } = await parse(
      await printable({ ...event, pin: '0042' }, `${url}#pin=0042`, languageOf('en'), 'a6'),
    );
    expect(lettered[2]?.text).toBe('photos.studio.example/event/sangeet-k7m2x9q4tr  ·  PIN 0042');
    expect(objects[5]).toContain(`/URI (${url}#pin=0042)`);
  });

  it('names the studio below the date, where there is one', async () => {
    await printable(
      { ...event, studio: { name: 'Studio Meera', logo: null, accent: null } },
      url,
      languageOf('en'),
      'a6',
    );
    expect(lettered.map(({ text }) => text).slice(0, 4)).toEqual([
      'Aanya & Rohan (Sangeet)',
      'Saturday, 14 November 2026',
      'Studio Meera',
      'photos.studio.example/event/sangeet-k7m2x9q4tr',
    ]);
  });

  it.each(['a4', 'a6'] as const)(
    'has the numbers of the steps in the accent of the studio, on %s',
    async (paper) => {
      const accent = { background: '#0A7F3C', label: '#FFFFFF' };
      const studio = { name: 'Studio Meera', logo: null, accent };
      const { content } = await parse(await printable({ ...event, studio }, url, languageOf('en'), paper));
      const figures = lettered.filter(({ text }) => /^[123]$/u.test(text));
      expect(figures.map(({ style }) => [style.ink, style.ground])).toEqual(
        Array(3).fill([
          [255, 255, 255],
          [10, 127, 60],
        ]),
      );
      const discs = content.split('\n').filter((line) => line.startsWith('0.0392 0.498 0.2353 rg '));
      expect(discs).toHaveLength(3);
    },
  );

  it('has the logo in the place of the sun', async () => {
    const plain = await parse(await printable(event, url, languageOf('en'), 'a4'));
    const logo = { width: 800, height: 400, bytes: new Uint8Array([255, 216, 255, 217]) };
    const studio = { name: 'Studio Meera', logo, accent: null };
    const { text, content } = await parse(await printable({ ...event, studio }, url, languageOf('en'), 'a4'));
    expect(text).toContain(
      '/Width 800 /Height 400 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode',
    );
    const [box] = picturesOf(content);
    expect(box).toMatchObject({ x: 90, width: 30, height: 15 });
    const curves = (page: string) => page.split('\n').filter((line) => line.includes(' c ')).length;
    expect(curves(content)).toBe(curves(plain.content) - 2);
  });

  it('goes from the right to the left in Arabic, but for the link', async () => {
    const { content } = await parse(await printable(event, url, languageOf('ar'), 'a6'));
    expect(lettered.map(({ style }) => style.direction)).toEqual([
      'rtl',
      'rtl',
      'ltr',
      ...Array<string>(6).fill('rtl'),
    ]);
    const [first, , third] = picturesOf(content)
      .slice(3)
      .filter((_, at) => at % 2 === 1);
    expect(first?.x).toBeGreaterThan(third?.x ?? 0);
  });

  it('is written where nothing compresses, too', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const file = await bytesOf(await printable(event, url, languageOf('en'), 'a6'));
    vi.unstubAllGlobals();
    const page = { width: 105, height: 148 };
    expect(read(codeOf(file.toString('latin1')), page, 6)).toBe(url);
  });
});

describe('the code as SVG', () => {
  it.each([url, 'http://localhost:8080/event/a-k7m2x9q4tr', `https://${'long.'.repeat(60)}example/event/x`])(
    'leads to %s, with four modules of white on all sides',
    async (text) => {
      const svg = svgOf(await encode(text));
      const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
      const boxes = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map(([, x, y, width]) => ({
        x: Number(x),
        y: Number(y),
        width: Number(width),
        height: 1,
      }));
      const edges = bounds(boxes);
      expect(edges).toEqual({ left: 4, top: 4, right: side - 4, bottom: side - 4 });
      expect(read(boxes, { width: side, height: side }, 5)).toBe(text);
    },
  );

  it('repairs more where that makes it no finer', async () => {
    const { create } = await import('qrcode');
    const least = create(url, { errorCorrectionLevel: 'M' }).modules.size;
    for (const length of [20, 40, 62, 63, 80, 120]) {
      const text = `https://${'x'.repeat(length)}`;
      const { size } = await encode(text);
      expect(size).toBe(create(text, { errorCorrectionLevel: 'M' }).modules.size);
    }
    expect((await encode(url)).size).toBe(least);
  });
});
