import { formatLongDate } from '../../../platform/formats';
import type { Language } from '../../../platform/i18n/languages';
import { fonts, lightColors } from '../../../ui/theme/tokens';
import { letter, type Lettering, type Style } from './lettering';
import { type Box, type Color, decimal, fillColor, type Jpeg, type Page, writePdf } from './pdf';
import { encode, quietZone, type QrSymbol } from './symbol';
import { stepsIn } from './texts';

/** A colour as #RRGGBB, and that of a text on it. */
interface Shade {
  background: string;
  label: string;
}

export interface PrintedEvent {
  name: string;
  /** YYYY-MM-DD. */
  date: string;
  /** What guests enter, where it is to be read on paper. */
  pin?: string;
  /** Who took its photos, with what stands for its colour on paper; null where nobody is to be named. */
  studio: { name: string; logo: Jpeg | null; accent: Shade | null } | null;
}

/** A sheet of paper, in millimetres. */
interface Paper {
  width: number;
  height: number;
  /** White on all sides, which printers leave too. */
  margin: number;
  /** The width of the sun at the top. */
  sun: number;
  /** The largest letters of the event's name, its date, the link and the steps. */
  name: number;
  date: number;
  link: number;
  step: number;
  /** The upper edge and the side of the code without its quiet zone. */
  codeTop: number;
  code: number;
}

const papers = {
  // 33 modules of 4.2 mm for most links, which a phone reads from 3 m: decision 0041.
  a4: {
    width: 210,
    height: 297,
    margin: 13,
    sun: 30,
    name: 15,
    date: 6,
    link: 5.6,
    step: 5.8,
    codeTop: 85,
    code: 140,
  },
  // For the hand and the table: larger letters than half a poster's.
  a6: {
    width: 105,
    height: 148,
    margin: 7,
    sun: 15,
    name: 7.5,
    date: 3.6,
    link: 3.4,
    step: 3.5,
    codeTop: 43,
    code: 62,
  },
} as const satisfies Record<string, Paper>;

export type PaperName = keyof typeof papers;

const rgb = (hex: string): Color => {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};
// By name: what the fallback of a Linux desktop picks for a script may have few of its letters.
const scripts = ['Devanagari', 'Bengali', 'Gujarati', 'Tamil', 'Telugu', 'Arabic'];
const families = (first: string): string =>
  [first, ...scripts.map((script) => `"Noto Sans ${script}"`)].join();

const white = rgb('#FFFFFF');
const accent = rgb(lightColors.accent);
const accentSoft = rgb(lightColors.accentSoft);
const ink = rgb(lightColors.ink);

const place = (...millimetres: number[]): string => millimetres.map(decimal).join(' ');

const rectangle = ({ x, y, width, height }: Box): string => `${place(x, y, width, height)} re`;

/** How far the handles of a Bézier curve stand for a quarter of a circle. */
const quarter = 0.5523;

/** The upper half of a disc, and with `whole` the lower one. */
function disc(x: number, y: number, radius: number, whole: boolean): string {
  const handle = radius * quarter;
  const half = (side: number) => [
    `${place(x - side * radius, y - side * handle, x - side * handle, y - side * radius, x, y - side * radius)} c`,
    `${place(x + side * handle, y - side * radius, x + side * radius, y - side * handle, x + side * radius, y)} c`,
  ];
  return [`${place(x - radius, y)} m`, ...half(1), ...(whole ? half(-1) : []), 'h f'].join(' ');
}

/** The sun on its line, as the empty screens have it. */
function sun(centre: number, top: number, width: number): { paths: string[]; bottom: number } {
  const unit = width / 132;
  const line = top + 34 * unit;
  const bar = (from: number, y: number, length: number) =>
    rectangle({
      x: centre + (from - 66) * unit,
      y: top + (y - 27) * unit,
      width: length * unit,
      height: 2 * unit,
    });
  const ripple = accent.map((part) => part * 0.55 + 255 * 0.45) as unknown as Color;
  return {
    paths: [
      `${fillColor(accentSoft)} ${disc(centre, line, 34 * unit, false)}`,
      `${fillColor(accent)} ${disc(centre, line, 22 * unit, false)}`,
      `${fillColor(ink)} ${bar(2, 60, 128)} f`,
      `${fillColor(ripple)} ${bar(42, 67, 48)} ${bar(56, 74, 20)} f`,
    ],
    bottom: top + 49 * unit,
  };
}

/** The code as one path, so that no seams show between its rows. */
function codePath({ runs, size }: QrSymbol, box: Box): string {
  const module = box.width / size;
  const rectangles = runs.map(({ x, y, length }) =>
    rectangle({
      x: box.x + x * module,
      y: box.y + y * module,
      width: length * module,
      height: module,
    }),
  );
  return `0 g ${rectangles.join(' ')} f`;
}

/** The event's link without what nobody types, and without the PIN that only the code has. */
const readable = (url: string): string => url.replace(/^https?:\/\//u, '').replace(/#.*$/u, '');

/** The line under the code, for whoever types it. */
const lineOf = (url: string, pin: string | undefined): string =>
  pin === undefined ? readable(url) : `${readable(url)}  ·  PIN ${pin}`;

/** A poster or a table card as PDF: black on white with a little ember, in both themes. */
export async function printable(
  event: PrintedEvent,
  url: string,
  language: Language,
  paperName: PaperName,
): Promise<Blob> {
  const paper: Paper = papers[paperName];
  const [symbol, steps] = await Promise.all([encode(url), stepsIn(language)]);
  const room = paper.width - 2 * paper.margin;
  const centre = paper.width / 2;
  const code: Box = { x: centre - paper.code / 2, y: paper.codeTop, width: paper.code, height: paper.code };
  const quiet = (quietZone * paper.code) / symbol.size;

  const paths: string[] = [];
  const pictures: Page['pictures'][number][] = [];
  const style = (size: number, more: Partial<Style> = {}): Style => ({
    family: families(fonts.text),
    weight: 400,
    size,
    smallest: size / 2,
    lines: 1,
    ink,
    ground: white,
    direction: language.direction,
    ...more,
  });
  /** Puts letters at `y`, in the middle of a column, and answers their lower edge. */
  const add = ({ coverage, width, height }: Lettering, y: number, middle = centre): number => {
    pictures.push({ x: middle - width / 2, y, width, height, coverage });
    return y + height;
  };
  const put = async (
    text: string,
    y: number,
    height: number,
    how: Style,
    column: { middle: number; width: number } = { middle: centre, width: room },
  ) => add(await letter(text, how, { width: column.width, height }), y, column.middle);

  const display = { family: families(fonts.display), weight: 600 };
  const dateHeight = paper.date * 1.5;
  const logo = event.studio?.logo ?? null;
  // In the place of the sun, and half as high as that is wide.
  const logoScale = logo === null ? 0 : Math.min(paper.sun / 2 / logo.height, room / 2 / logo.width);
  const emblem = logo === null ? sun(centre, 0, paper.sun).bottom : logo.height * logoScale;
  const sunHeight = emblem + paper.date / 3;
  const studioHeight = event.studio === null ? 0 : dateHeight;
  const nameRoom = code.y - quiet - dateHeight - studioHeight - sunHeight - paper.margin;
  const name = await letter(
    event.name,
    style(paper.name, { ...display, lines: 2, smallest: paper.name / 3 }),
    { width: room, height: nameRoom },
  );
  // What a short name leaves is above and below.
  const top = paper.margin + Math.max(0, nameRoom - name.height) / 2;
  if (logo === null) paths.push(...sun(centre, top, paper.sun).paths);
  else {
    const logoWidth = logo.width * logoScale;
    pictures.push({ x: centre - logoWidth / 2, y: top, width: logoWidth, height: emblem, jpeg: logo });
  }
  const nameBottom = add(name, top + sunHeight);
  await put(
    formatLongDate(event.date, language),
    nameBottom,
    dateHeight,
    style(paper.date, { ink: rgb(lightColors.ink2) }),
  );

  if (event.studio !== null)
    await put(event.studio.name, nameBottom + dateHeight, studioHeight, style(paper.date, { weight: 500 }));

  paths.push(codePath(symbol, code));
  const linkBottom = await put(
    lineOf(url, event.pin),
    code.y + code.height + quiet,
    paper.link * 1.5,
    style(paper.link, { weight: 500, direction: 'ltr' }),
  );

  const gap = paper.step;
  const width = (room - 2 * gap) / 3;
  const radius = paper.step * 0.9;
  const discs = linkBottom + gap * 0.9 + radius;
  const shade = event.studio?.accent ?? { background: lightColors.accentSoft, label: lightColors.accentText };
  const [figureGround, figureInk] = [rgb(shade.background), rgb(shade.label)];
  for (const [at, text] of steps.entries()) {
    const column = language.direction === 'rtl' ? steps.length - 1 - at : at;
    const middle = paper.margin + column * (width + gap) + width / 2;
    paths.push(`${fillColor(figureGround)} ${disc(middle, discs, radius, true)}`);
    const figure = style(paper.step, { ...display, ink: figureInk, ground: figureGround });
    await put(String(at + 1), discs - 0.73 * paper.step, 2 * paper.step, figure, {
      middle,
      width: radius,
    });
    const stepTop = discs + radius + gap / 3;
    const stepRoom = paper.height - paper.margin - stepTop;
    await put(text, stepTop, stepRoom, style(paper.step, { lines: 2, weight: 500 }), { middle, width });
  }

  return writePdf({
    width: paper.width,
    height: paper.height,
    title: event.name,
    language: language.tag,
    paths,
    pictures,
    link: { ...code, url },
  });
}
