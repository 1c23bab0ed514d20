/** A length in the grid: a share of its width, and a number of gaps. */
export interface Length {
  share: number;
  gaps: number;
}

export interface Box {
  left: Length;
  top: Length;
  width: Length;
  height: Length;
}

export interface Arrangement {
  boxes: Box[];
  height: Length;
}

const zero: Length = { share: 0, gaps: 0 };
const full: Length = { share: 1, gaps: 0 };
const gap: Length = { share: 0, gaps: 1 };
/** The width of one of two columns. */
const column: Length = { share: 0.5, gaps: -0.5 };

const plus = (...lengths: Length[]): Length => ({
  share: lengths.reduce((sum, { share }) => sum + share, 0),
  gaps: lengths.reduce((sum, { gaps }) => sum + gaps, 0),
});
const times = ({ share, gaps }: Length, factor: number): Length => ({
  share: share * factor,
  gaps: gaps * factor,
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** How many photos at the end are moved between columns, so that both end at the same line. */
const balanced = 6;

/** Photos of these ratios beside each other, all equally high, over the whole width. */
function row(ratios: readonly number[], top: Length): Box[] {
  const space = plus(full, times(gap, 1 - ratios.length));
  const widths = ratios.map((ratio) => times(space, 1 / ratio / sum(ratios.map((each) => 1 / each))));
  return widths.map((width, at) => ({
    left: plus(...widths.slice(0, at), times(gap, at)),
    top,
    width,
    height: times(widths[0] ?? zero, ratios[0] ?? 1),
  }));
}

interface Columns {
  /** The column of each photo. */
  sides: (0 | 1)[];
  /** The share of the most cropped photo that cannot be seen. */
  cropped: number;
  /** By how much the last photos of each column are stretched. */
  stretch: [number, number];
  /** How many photos at the end are stretched. */
  tail: number;
}

/** Puts the next photo into the column that is shorter. */
function fill(ratios: readonly number[]): (0 | 1)[] {
  const heights: [number, number] = [0, 0];
  return ratios.map((ratio) => {
    const side = heights[0] <= heights[1] ? 0 : 1;
    heights[side] += ratio;
    return side;
  });
}

/** How the columns are stretched to end at the same line, if the photos from `from` on may be; null if they cannot. */
function level(ratios: readonly number[], sides: readonly (0 | 1)[], from: number): [number, number] | null {
  const fixed = [0, 0];
  const free = [0, 0];
  for (const [at, ratio] of ratios.entries()) {
    const heights = at < from ? fixed : free;
    heights[sides[at] ?? 0] = (heights[sides[at] ?? 0] ?? 0) + ratio;
  }
  const [left = 0, right = 0] = free;
  const lead = (fixed[0] ?? 0) - (fixed[1] ?? 0);
  if (left + (fixed[0] ?? 0) === 0 || right + (fixed[1] ?? 0) === 0) return null;
  if (left === 0) return right > 0 && lead > 0 ? [1, lead / right] : null;
  if (right === 0) return lead < 0 ? [-lead / left, 1] : null;
  // The left column is stretched by what the right one is compressed by.
  const stretch = (Math.sqrt(lead * lead + 4 * left * right) - lead) / (2 * left);
  return [stretch, 1 / stretch];
}

/** The columns in which least is cropped, and the order of the photos least disturbed. */
function chooseColumns(ratios: readonly number[]): Columns | null {
  const tail = Math.min(ratios.length, balanced);
  const from = ratios.length - tail;
  const head = fill(ratios.slice(0, from));
  let best: (Columns & { cost: number }) | null = null;
  for (let choice = 0; choice < 2 ** tail; choice += 1) {
    const sides = [...head, ...Array.from({ length: tail }, (_, at): 0 | 1 => (choice & (1 << at) ? 1 : 0))];
    const stretch = level(ratios, sides, from);
    if (stretch === null) continue;
    const cropped = Math.max(...stretch.map((each) => 1 - Math.min(each, 1 / each)));
    const heights: [number, number] = [0, 0];
    let disorder = 0;
    for (const [at, ratio] of ratios.entries()) {
      const side = sides[at] ?? 0;
      if (heights[side] > heights[side === 0 ? 1 : 0] + 0.75) disorder += 1;
      heights[side] += ratio;
    }
    const cost = cropped + 0.1 * disorder + (sides[0] === 1 ? 0.01 : 0);
    if (best === null || cost < best.cost) best = { sides, cropped: cost, stretch, tail, cost };
  }
  return best;
}

/** The boxes of photos in two columns that end at the same line. */
function placeColumns(
  ratios: readonly number[],
  top: Length,
  { sides, stretch, tail }: Columns,
): Arrangement {
  const from = ratios.length - tail;
  const boxes: Box[] = [];
  const heightOf = (ratio: number, at: number, side: 0 | 1) =>
    times(column, ratio * (at < from ? 1 : stretch[side]));
  const counts = [0, 1].map((side) => sides.filter((each) => each === side).length);
  const natural = ([0, 1] as const).map((side) =>
    plus(
      ...ratios.map((ratio, at) => (sides[at] === side ? heightOf(ratio, at, side) : zero)),
      times(gap, (counts[side] ?? 1) - 1),
    ),
  );
  const height = natural[0] ?? zero;
  // The columns have different numbers of gaps: the free photos of the right one make up for it.
  const free = sides.slice(from).filter((side) => side === 1).length;
  const difference = plus(height, times(natural[1] ?? zero, -1));
  const edges: [Length, Length] = [top, top];
  for (const [at, ratio] of ratios.entries()) {
    const side = sides[at] ?? 0;
    const makeUp = side === 1 && at >= from ? times(difference, 1 / free) : zero;
    const box = {
      left: side === 0 ? zero : plus(column, gap),
      top: edges[side],
      width: column,
      height: plus(heightOf(ratio, at, side), makeUp),
    };
    boxes.push(box);
    edges[side] = plus(edges[side], box.height, gap);
  }
  return { boxes, height };
}

/** How the photos end: in columns alone, or with the last ones in a row of their own, and what that costs. */
const endings = [
  { last: 0, cost: 0 },
  { last: 1, cost: 0.06 },
  { last: 2, cost: 0.08 },
];

/** No photo of a row is narrower than this share of it; on a wide screen no row is higher than this share of its width. */
const narrowest = 0.27;
const highest = 0.5;

function rowCost(ratios: readonly number[]): number {
  if (ratios.length === 0) return 0;
  const widths = ratios.map((ratio) => 1 / ratio);
  return Math.min(...widths) / sum(widths) < narrowest ? 0.3 : 0;
}

function arrangeRest(ratios: readonly number[], top: Length): Arrangement {
  let best: { cost: number; last: number; columns: Columns | null } | null = null;
  for (const { last, cost } of endings) {
    if (last > ratios.length || cost > (best?.cost ?? Infinity)) break;
    const first = ratios.slice(0, ratios.length - last);
    const columns = first.length === 0 ? null : chooseColumns(first);
    if (first.length > 0 && columns === null) continue;
    const total = cost + (columns?.cropped ?? 0) + rowCost(ratios.slice(first.length));
    if (total < (best?.cost ?? Infinity)) best = { cost: total, last, columns };
  }
  if (best === null) return { boxes: [], height: zero };
  const { last, columns } = best;
  const split = ratios.length - last;
  const above =
    columns === null ? { boxes: [], height: zero } : placeColumns(ratios.slice(0, split), top, columns);
  if (last === 0) return above;
  const edge = columns === null ? zero : plus(above.height, gap);
  const below = row(ratios.slice(split), plus(top, edge));
  return { boxes: [...above.boxes, ...below], height: plus(edge, below[0]?.height ?? zero) };
}

/** The sum of the photos' widths over a row's height: about four photos of a camera held level, fewer upright ones. */
const rowLength = 3.6;
/** Photos that are tried for a row. */
const longestRow = 8;

/** Photos in rows that are filled by whole photos; the rows are as equally high as can be. */
function arrangeRows(ratios: readonly number[]): Arrangement {
  // Of the first photos, up to each: what their best rows cost, and where the last of these begins.
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= ratios.length; end += 1) {
    let choice = { cost: Infinity, from: end - 1 };
    let length = 0;
    for (let from = end - 1; from >= Math.max(0, end - longestRow); from -= 1) {
      length += 1 / (ratios[from] ?? 1);
      const cost = (best[from]?.cost ?? Infinity) + Math.log(length / rowLength) ** 2;
      if (cost < choice.cost) choice = { cost, from };
    }
    best.push(choice);
  }
  const starts: number[] = [];
  for (let end = ratios.length; end > 0; end = best[end]?.from ?? 0) starts.unshift(best[end]?.from ?? 0);
  const boxes: Box[] = [];
  let bottom = zero;
  for (const [at, start] of starts.entries()) {
    const top = at === 0 ? zero : plus(bottom, gap);
    const placed = lowered(row(ratios.slice(start, starts[at + 1]), top));
    boxes.push(...placed);
    bottom = plus(top, placed[0]?.height ?? zero);
  }
  return { boxes, height: bottom };
}

/** A row that would be higher than a window is narrower instead, in the middle. */
function lowered(boxes: Box[]): Box[] {
  const factor = highest / Math.max(highest, boxes[0]?.height.share ?? 0);
  if (factor === 1) return boxes;
  const margin = times(full, (1 - factor) / 2);
  return boxes.map(({ left, top, width, height }) => ({
    left: plus(margin, times(left, factor)),
    top,
    width: times(width, factor),
    height: times(height, factor),
  }));
}

/** The largest ratio of a photo that leads: a higher one would not be seen whole on a small phone. */
const highestLead = 0.85;

/**
 * The boxes of photos with these ratios of height to width. A wide screen has rows, in which nothing is cropped; others
 * have two columns, which end at the same line. For that, the last photos change columns, are cropped a little, or stand in
 * a row of their own. There the first photo of all spans the width, unless it is upright.
 */
export function arrange(
  ratios: readonly number[],
  { wide, leading }: { wide: boolean; leading: boolean },
): Arrangement {
  const [first, ...rest] = ratios;
  if (first === undefined) return { boxes: [], height: zero };
  if (wide) return arrangeRows(ratios);
  if (!leading || first > highestLead) return arrangeRest(ratios, zero);
  const lead: Box = { left: zero, top: zero, width: full, height: times(full, first) };
  if (rest.length === 0) return { boxes: [lead], height: lead.height };
  const edge = plus(lead.height, gap);
  const below = arrangeRest(rest, edge);
  return { boxes: [lead, ...below.boxes], height: plus(edge, below.height) };
}

export interface Section extends Arrangement {
  /** The index of its first photo. */
  start: number;
  top: Length;
}

/** Photos of one section: few enough that one section more or less in the document is not felt. */
export const sectionSize = 20;

/** The photos in sections of equal width, one below the other, of which those out of sight may be left out. */
export function arrangeInSections(ratios: readonly number[], wide: boolean): Section[] {
  const sections: Section[] = [];
  let top = zero;
  for (let start = 0; start < ratios.length;) {
    const left = ratios.length - start;
    // A remainder is too few for two columns: it stays with the section before.
    const count = left < sectionSize * 1.5 ? left : sectionSize;
    const arrangement = arrange(ratios.slice(start, start + count), { wide, leading: start === 0 });
    sections.push({ ...arrangement, start, top });
    top = plus(top, arrangement.height, gap);
    start += count;
  }
  return sections;
}

export const toPixels = ({ share, gaps }: Length, width: number, gapWidth: number): number =>
  share * width + gaps * gapWidth;

/** In the units of an element within the grid. */
export const toCss = ({ share, gaps }: Length): string =>
  `calc(${(share * 100).toFixed(3)}cqw + ${gaps.toFixed(3)} * var(--gap))`;
