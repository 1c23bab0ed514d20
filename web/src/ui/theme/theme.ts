import { createTheme } from '@mui/material/styles';
import { components } from './components';
import {
  breakpoints,
  dangerFill,
  darkColors,
  darkShadows,
  fonts,
  lightColors,
  lightShadows,
  motion,
  radius,
  room,
  type SchemeColors,
} from './tokens';

interface SchemeShadows {
  low: string;
  menu: string;
  dialog: string;
}

// Every shade is explicit: MUI would otherwise derive shades whose contrast was not checked.
const shades = (main: string, contrastText: string, dark = main) => ({
  main,
  dark,
  light: main,
  contrastText,
});

function paletteOf(colors: SchemeColors, shadow: SchemeShadows) {
  return {
    primary: shades(colors.accent, colors.onAccent, colors.accentHover),
    secondary: shades(colors.ink, colors.bg),
    error: shades(colors.error, colors.surface),
    warning: shades(colors.warning, colors.surface),
    success: shades(colors.success, colors.surface),
    info: shades(colors.ink2, colors.surface),
    ink: shades(colors.ink, colors.bg),
    danger: shades(dangerFill, '#FFFFFF'),
    background: { default: colors.bg, paper: colors.surface },
    text: { primary: colors.ink, secondary: colors.ink2, disabled: colors.ink3 },
    divider: colors.line,
    action: {
      hover: colors.hover,
      selected: colors.hover,
      active: colors.ink,
      disabled: colors.ink3,
      disabledBackground: colors.sunken,
    },
    raised: colors.raised,
    sunken: colors.sunken,
    control: colors.control,
    hover: colors.hover,
    accentText: colors.accentText,
    soft: {
      accent: colors.accentSoft,
      success: colors.successSoft,
      warning: colors.warningSoft,
      error: colors.errorSoft,
    },
    room,
    shadow,
  };
}

const display = { fontFamily: fonts.display, fontWeight: 600 };

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'media' },
  colorSchemes: {
    light: { palette: paletteOf(lightColors, lightShadows) },
    dark: { palette: paletteOf(darkColors, darkShadows) },
  },
  spacing: 4,
  shape: { borderRadius: radius.control },
  breakpoints: { values: breakpoints },
  transitions: {
    duration: {
      shortest: motion.fast,
      shorter: motion.fast,
      short: motion.base,
      standard: motion.base,
      complex: motion.slow,
      enteringScreen: motion.base,
      leavingScreen: motion.fast,
    },
    easing: {
      easeOut: motion.standard,
      easeInOut: motion.standard,
      easeIn: motion.exit,
      sharp: motion.exit,
    },
  },
  typography: {
    fontFamily: fonts.text,
    fontWeightBold: 600,
    hero: {
      ...display,
      fontSize: 'calc(clamp(38px, 4.7vw, 60px) * var(--heading-scale, 1))',
      lineHeight: 1.02,
      letterSpacing: '-0.032em',
    },
    cover: {
      ...display,
      fontSize: 46,
      lineHeight: 0.98,
      letterSpacing: '-0.035em',
      '@media (min-width:900px)': { fontSize: 76 },
    },
    h1: { ...display, fontSize: 36, lineHeight: 1.1, letterSpacing: '-0.026em' },
    h2: { ...display, fontSize: 28, lineHeight: 1.15, letterSpacing: '-0.022em' },
    h3: { ...display, fontSize: 20, lineHeight: 1.25, letterSpacing: '-0.014em' },
    figure: {
      ...display,
      fontSize: 42,
      lineHeight: 1,
      letterSpacing: '-0.03em',
      fontVariantNumeric: 'tabular-nums',
    },
    subtitle1: { fontSize: 17, lineHeight: 1.42 },
    subtitle2: { fontSize: 14, lineHeight: 1.45, fontWeight: 600 },
    body1: { fontSize: 16, lineHeight: 1.5 },
    body2: { fontSize: 14, lineHeight: 1.45 },
    caption: { fontSize: 13, lineHeight: 1.4 },
    button: { fontSize: 15, lineHeight: 1.2, fontWeight: 600, textTransform: 'none', letterSpacing: 0 },
  },
  components,
});
