import { skyPalettes } from '../theme/tokens';

export interface Disc {
  x: number;
  y: number;
  radius: number;
  opacity: number;
}

/** A generated picture in a box of 100 by 100: colours from top to foot, the horizon's height, the sun's place, bokeh below. */
export interface SkyPicture {
  palette: readonly string[];
  horizon: number;
  sun: number;
  discs: Disc[];
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  }
  return value;
}

/** Mulberry32: the same seed gives the same numbers on every visit. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const discCount = 40;

export function paintSky(slug: string): SkyPicture {
  const seed = hash(slug);
  const next = numbersFrom(seed);
  const palette = skyPalettes[seed % skyPalettes.length] ?? skyPalettes[0];
  const horizon = 58 + next() * 6;
  const sun = 20 + next() * 60;
  const discs = Array.from({ length: discCount }, () => {
    const depth = next();
    // White words stand below the first strip of ground, so the large discs there stay faint.
    const near = depth < 0.3;
    return {
      x: next() * 100,
      y: near ? horizon + 0.6 + next() * 2 : horizon + 4 + next() * (96 - horizon),
      radius: near ? 0.3 + next() * 0.5 : 1.2 + next() * 4.2,
      opacity: near ? 0.35 + next() * 0.4 : 0.06 + next() * 0.18,
    };
  });
  return { palette, horizon, sun, discs };
}
