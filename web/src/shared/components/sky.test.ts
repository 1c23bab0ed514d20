import { describe, expect, it } from 'vitest';
import { skyPalettes } from '../theme/tokens';
import { paintSky } from './sky';

describe('an event sky', () => {
  it('is the same for the same slug and another for another', () => {
    expect(paintSky('mira-turns-one-h2fn8qzy3w')).toEqual(paintSky('mira-turns-one-h2fn8qzy3w'));
    expect(paintSky('mira-turns-one-h2fn8qzy3w')).not.toEqual(paintSky('founders-dinner-c9xk4bme7u'));
  });

  it('is the one that the server draws for shared links', () => {
    const sky = paintSky('priya-rahul-k7m2p9q4xz');
    expect(sky.palette).toBe(skyPalettes[1]);
    expect(sky.horizon).toBeCloseTo(61.45032, 3);
    expect(sky.sun).toBeCloseTo(23.22284, 3);
    expect(sky.discs[0]?.x).toBeCloseTo(35.18811, 3);
    expect(sky.discs[0]?.y).toBeCloseTo(63.771637, 3);
    expect(sky.discs[0]?.radius).toBeCloseTo(0.611736, 3);
    expect(sky.discs[0]?.opacity).toBeCloseTo(0.415518, 3);
  });

  it('keeps horizon, sun and discs where the design puts them, whatever the slug', () => {
    const palettes = new Set<readonly string[]>();
    for (let index = 0; index < 300; index += 1) {
      const sky = paintSky(`event-${index}-ü`);
      palettes.add(sky.palette);
      expect(sky.horizon).toBeGreaterThanOrEqual(58);
      expect(sky.horizon).toBeLessThanOrEqual(64);
      expect(sky.sun).toBeGreaterThanOrEqual(20);
      expect(sky.sun).toBeLessThanOrEqual(80);
      for (const disc of sky.discs) {
        expect(disc.y).toBeGreaterThan(sky.horizon);
        if (disc.y > sky.horizon + 3) expect(disc.opacity).toBeLessThanOrEqual(0.3);
      }
    }
    expect(palettes.size).toBe(skyPalettes.length);
  });
});
