/**
 * A PDF of one page: paths, and texts as pictures of their coverage. A browser shapes every script with fonts that are
 * there, and gives neither outlines nor fonts to a page: decision 0041.
 */

/** Red, green and blue from 0 to 255. */
export type Color = readonly [number, number, number];

export interface Coverage {
  /** In pixels. */
  width: number;
  height: number;
  /** 0 for the ground to 255 for the ink, row by row. */
  values: Uint8Array<ArrayBuffer>;
  ink: Color;
  ground: Color;
}

/** In millimetres from the upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A picture as it is: JPEG in red, green and blue. */
export interface Jpeg {
  /** In pixels. */
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface Page {
  width: number;
  height: number;
  title: string;
  /** BCP 47. */
  language: string;
  /** Operators, with millimetres from the upper left corner. */
  paths: readonly string[];
  pictures: readonly (Box & ({ coverage: Coverage } | { jpeg: Jpeg }))[];
  /** Where a click leads. */
  link: Box & { url: string };
}

const pointsPerMillimetre = 72 / 25.4;

/** A number as PDF has it, which knows no exponents. */
export const decimal = (value: number): string => String(Number(value.toFixed(4)));

export const fillColor = (color: Color): string => `${color.map((part) => decimal(part / 255)).join(' ')} rg`;

/** A text in UTF-16, as it may be in any script. */
function hexText(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  return `<feff${units.join('')}>`;
}

/** An address in ASCII, in which parentheses, that would end it, are escaped. */
const addressText = (url: string): string => `(${new URL(url).href.replace(/[()\\]/gu, '\\$&')})`;

/** From ground to ink, a colour for each coverage. */
function ramp(ground: Color, ink: Color): string {
  let hex = '';
  for (let coverage = 0; coverage < 256; coverage += 1) {
    for (const part of [0, 1, 2] as const) {
      const value = ground[part] + ((ink[part] - ground[part]) * coverage) / 255;
      hex += Math.round(value).toString(16).padStart(2, '0');
    }
  }
  return `<${hex}>`;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new CompressionStream('deflate');
  const writer = stream.writable.getWriter();
  void writer.write(bytes);
  void writer.close();
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

/** Safari has compression from 16.4; without it the file is larger. */
async function streamOf(
  entries: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly (string | Uint8Array<ArrayBuffer>)[]> {
  const packed = typeof CompressionStream === 'undefined' ? null : await deflate(bytes);
  const filter = packed === null ? '' : ' /Filter /FlateDecode';
  const data = packed ?? bytes;
  return [`<< ${entries}${filter} /Length ${data.length} >>\nstream\n`, data, '\nendstream'];
}

async function image(picture: Page['pictures'][number]): ReturnType<typeof streamOf> {
  const { width, height } = 'jpeg' in picture ? picture.jpeg : picture.coverage;
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  if ('jpeg' in picture) {
    const { bytes } = picture.jpeg;
    const filter = '/ColorSpace /DeviceRGB /Filter /DCTDecode';
    return [`<< ${entries} ${filter} /Length ${bytes.length} >>\nstream\n`, bytes, '\nendstream'];
  }
  const { ground, ink, values } = picture.coverage;
  return streamOf(`${entries} /ColorSpace [/Indexed /DeviceRGB 255 ${ramp(ground, ink)}]`, values);
}

/** Writes a page as a PDF file. */
export async function writePdf(page: Page): Promise<Blob> {
  const point = (millimetres: number) => decimal(millimetres * pointsPerMillimetre);
  const [width, height] = [point(page.width), point(page.height)];
  const firstPicture = 7;
  const names = page.pictures.map((_, at) => `/T${at} ${firstPicture + at} 0 R`);
  const content = [
    `${decimal(pointsPerMillimetre)} 0 0 ${decimal(-pointsPerMillimetre)} 0 ${height} cm`,
    ...page.paths,
    ...page.pictures.map(
      (each, at) =>
        `q ${decimal(each.width)} 0 0 ${decimal(-each.height)} ${decimal(each.x)} ${decimal(each.y + each.height)} cm /T${at} Do Q`,
    ),
  ].join('\n');
  const { link } = page;
  const rectangle = [link.x, page.height - link.y - link.height, link.x + link.width, page.height - link.y];
  const objects: (readonly (string | Uint8Array<ArrayBuffer>)[])[] = [
    [
      `<< /Type /Catalog /Pages 2 0 R /Lang ${hexText(page.language)} /ViewerPreferences << /DisplayDocTitle true /PrintScaling /None >> >>`,
    ],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Annots [6 0 R] /Resources << /XObject << ${names.join(' ')} >> >> >>`,
    ],
    await streamOf('', new TextEncoder().encode(content)),
    [`<< /Title ${hexText(page.title)} /Creator (Afterglow) >>`],
    [
      `<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${rectangle.map(point).join(' ')}] /A << /S /URI /URI ${addressText(link.url)} >> >>`,
    ],
  ];
  for (const picture of page.pictures) objects.push(await image(picture));
  return assemble(objects);
}

/** Numbers the objects from 1, and says at which byte each of them begins. */
function assemble(objects: readonly (readonly (string | Uint8Array<ArrayBuffer>)[])[]): Blob {
  const encoder = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const put = (part: string | Uint8Array<ArrayBuffer>) => {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  put('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n');
  const starts = objects.map((object, at) => {
    const start = length;
    put(`${at + 1} 0 obj\n`);
    object.forEach(put);
    put('\nendobj\n');
    return start;
  });
  const table = length;
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`);
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`);
  put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: 'application/pdf' });
}
