import { describe, expect, it } from 'vitest';
import fontStyles from './fonts.css?raw';
import { theme } from './theme';
import { fonts } from './tokens';

const channels = (color: string) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
/** The difference between the highest and the lowest channel, 0 to 255; 0 is grey. */
const tint = (color: string) => Math.max(...channels(color)) - Math.min(...channels(color));

describe('the theme', () => {
  it('has breakpoints at 600, 900, 1200 and 1536 px [CONST037]', () => {
    expect(theme.breakpoints.values).toEqual({ xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 });
  });

  it('names its display font for style sheets too', () => {
    expect(fontStyles).toContain(`--font-display: ${fonts.display.replaceAll('"', "'")};`);
  });

  it('has a light and a dark scheme [RUN066]', () => {
    const { light, dark } = theme.colorSchemes;
    expect(light?.palette.background.default).toBe('#F4F4F3');
    expect(dark?.palette.background.default).toBe('#0E0E0E');
    expect(light?.palette.text.primary).not.toBe(dark?.palette.text.primary);
  });

  it('has one accent colour: all other colours except status colours are grey [RUN065]', () => {
    for (const scheme of [theme.colorSchemes.light, theme.colorSchemes.dark]) {
      if (scheme === undefined) throw new Error('a color scheme is missing');
      const { primary, secondary, info, ink, text, background } = scheme.palette;
      expect(tint(primary.main)).toBeGreaterThan(100);
      for (const color of [secondary.main, info.main, ink.main, text.primary, text.secondary]) {
        expect(tint(color)).toBeLessThan(10);
      }
      expect(tint(background.default)).toBeLessThan(10);
    }
  });
});
