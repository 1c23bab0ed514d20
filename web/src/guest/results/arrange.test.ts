import { describe, expect, test } from 'vitest';
import { arrange, arrangeInSections, type Box, sectionSize, toPixels } from './arrange';

const width = 328;
const gap = 6;

const inPixels = ({ left, top, width: wide, height }: Box) => ({
  left: toPixels(left, width, gap),
  top: toPixels(top, width, gap),
  width: toPixels(wide, width, gap),
  height: toPixels(height, width, gap),
});
type Pixels = ReturnType<typeof inPixels>;

const overlap = (a: Pixels, b: Pixels) =>
  a.left < b.left + b.width - 0.01 &&
  b.left < a.left + a.width - 0.01 &&
  a.top < b.top + b.height - 0.01 &&
  b.top < a.top + a.height - 0.01;

/** The same numbers in every run. */
function* random(seed: number) {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const shapes = [0.4, 0.5625, 0.6667, 0.75, 1, 1.3333, 1.5, 1.7778, 2.2];
const photos = (count: number, seed: number) => {
  const numbers = random(seed * 7919 + count);
  return Array.from(
    { length: count },
    () => shapes[Math.floor(Number(numbers.next().value) * shapes.length)] ?? 1,
  );
};

describe.each([false, true])('the photos of a screen (wide: %s)', (wide) => {
  test('[FACE094] the photos fill the grid to its last line, without a hole and without overlapping', () => {
    for (let count = 1; count <= 24; count += 1) {
      for (let seed = 0; seed < 12; seed += 1) {
        const ratios = photos(count, seed);
        const { boxes, height } = arrange(ratios, { wide, leading: true });
        const placed = boxes.map(inPixels);
        const bottom = toPixels(height, width, gap);
        const hint = `${count} photos: ${ratios.join(' ')}`;
        expect(placed, hint).toHaveLength(count);
        for (const [at, box] of placed.entries())
          for (const other of placed.slice(at + 1)) expect(overlap(box, other), hint).toBe(false);
        // A row of few upright photos is as high as a window, in the middle.
        if ((placed[0]?.left ?? 0) > 0) continue;
        // Along the last line, and along both columns, there is a photo beside a photo.
        const last = placed.filter((box) => Math.abs(box.top + box.height - bottom) < 0.01);
        const covered = last.reduce((total, box) => total + box.width, gap * (last.length - 1));
        expect(covered, hint).toBeCloseTo(width, 1);
        const area = placed.reduce((total, box) => total + (box.width + gap) * (box.height + gap), 0);
        expect(area, hint).toBeCloseTo((width + gap) * (bottom + gap), 0);
      }
    }
  });

  test('[FACE094] little of a photo is cropped', () => {
    const cropped: number[] = [];
    for (let count = 4; count <= 24; count += 1) {
      for (let seed = 0; seed < 12; seed += 1) {
        const ratios = photos(count, seed);
        for (const [at, box] of arrange(ratios, { wide, leading: true }).boxes.map(inPixels).entries()) {
          const change = box.height / box.width / (ratios[at] ?? 1);
          cropped.push(1 - Math.min(change, 1 / change));
        }
      }
    }
    cropped.sort((a, b) => a - b);
    // Rows keep the shape of every photo.
    expect(cropped[Math.floor(cropped.length * 0.95)]).toBeLessThan(wide ? 0.001 : 0.12);
    expect(cropped.at(-1)).toBeLessThan(wide ? 0.001 : 0.35);
  });
});

test('[FACE094] the first photo spans a phone unless it is upright', () => {
  const leading = (ratio: number, wide: boolean) =>
    arrange([ratio, ...photos(9, 1)], { wide, leading: true }).boxes.map(inPixels)[0];
  expect(leading(0.6667, false)?.width).toBe(width);
  expect(leading(1.5, false)?.width).toBe((width - gap) / 2);
});

test('rows of a wide screen are about equally high, and in the order of the photos', () => {
  for (let seed = 0; seed < 12; seed += 1) {
    const ratios = photos(24, seed).map((ratio) => Math.min(1.5, Math.max(0.6, ratio)));
    const placed = arrange(ratios, { wide: true, leading: true }).boxes.map(inPixels);
    const heights = placed.map(({ height }) => height);
    expect(Math.max(...heights) / Math.min(...heights)).toBeLessThan(1.9);
    for (const [at, box] of placed.entries()) {
      const next = placed[at + 1];
      if (next !== undefined) expect(next.top > box.top + 1 || next.left > box.left).toBe(true);
    }
  }
});

test('a single photo of a wide screen is seen whole, in the middle', () => {
  for (const ratio of [0.6667, 1.5]) {
    const [box] = arrange([ratio], { wide: true, leading: true }).boxes.map(inPixels);
    expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(ratio, 4);
    expect(box?.height).toBeLessThanOrEqual(width * 0.5 + 0.01);
    expect(box?.left).toBeCloseTo((width - (box?.width ?? 0)) / 2, 4);
  }
});

test('sections are below each other, and hold every photo once', () => {
  const sections = arrangeInSections(photos(1007, 1), false);
  expect(sections.flatMap(({ boxes }) => boxes)).toHaveLength(1007);
  expect(sections.every(({ boxes }) => boxes.length >= sectionSize)).toBe(true);
  for (const [at, { top, height }] of sections.entries()) {
    const next = sections[at + 1];
    if (next === undefined) continue;
    expect(toPixels(next.top, width, gap)).toBeCloseTo(
      toPixels(top, width, gap) + toPixels(height, width, gap) + gap,
      4,
    );
  }
});
