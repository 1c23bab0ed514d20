import { beforeEach, expect, it, vi } from 'vitest';
import { letter, type Style } from './lettering';

const drawn: { text: string; x: number; y: number; direction: string }[] = [];

/** jsdom has no canvas: letters are half as wide as they are high. */
beforeEach(() => {
  drawn.splice(0);
  const context = {
    font: '',
    direction: 'ltr',
    measureText(text: string) {
      return { width: (text.length * Number(/ ([\d.]+)px/.exec(this.font)?.[1])) / 2 };
    },
    fillText(text: string, x: number, y: number) {
      drawn.push({ text, x, y, direction: this.direction });
    },
    getImageData: (_x: number, _y: number, width: number, height: number) => ({
      data: new Uint8ClampedArray(4 * width * height).fill(7),
    }),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
});

const style: Style = {
  family: 'serif',
  weight: 600,
  size: 10,
  smallest: 2,
  lines: 2,
  ink: [0, 0, 0],
  ground: [255, 255, 255],
  direction: 'ltr',
};
const lines = () => drawn.map(({ text }) => text);

it.each([
  ['Sangeet', 60, ['Sangeet']],
  ['Aanya & Rohan at the lake', 60, ['Aanya & Rohan', 'at the lake']],
  ['Get the photos you are in', 110, ['Get the photos', 'you are in']],
  ['x'.repeat(100), 60, ['x'.repeat(60), 'x'.repeat(40)]],
])('letters %s in at most two lines of about one length', async (text, width, expected) => {
  const { coverage, ...size } = await letter(text, style, { width, height: 40 });
  expect(lines()).toEqual(expected);
  expect(size.width).toBeCloseTo(width, 1);
  expect(size.height).toBeLessThanOrEqual(40.1);
  expect(coverage.values).toHaveLength(coverage.width * coverage.height);
  expect(coverage.values[0]).toBe(7);
  for (const { x } of drawn) expect(x).toBe(coverage.width / 2);
});

it('makes the letters smaller where the room is low, and cuts what is left at the smallest size', async () => {
  const { height } = await letter('Sangeet', style, { width: 60, height: 9 });
  expect(height).toBeLessThanOrEqual(9.1);
  drawn.splice(0);
  await letter('word '.repeat(200), style, { width: 60, height: 40 });
  expect(lines()).toHaveLength(2);
  expect(lines()[1]).toMatch(/…$/);
});

it('stands from the right to the left where the language does', async () => {
  await letter('زفاف', { ...style, direction: 'rtl' }, { width: 60, height: 40 });
  expect(drawn[0]?.direction).toBe('rtl');
});
