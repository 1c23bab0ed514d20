/** The design tokens: colours, shapes, shadows and durations. Sizes in px, durations in ms. */

export interface SchemeColors {
  bg: string;
  surface: string;
  raised: string;
  sunken: string;
  line: string;
  control: string;
  ink: string;
  ink2: string;
  ink3: string;
  accent: string;
  accentHover: string;
  accentText: string;
  onAccent: string;
  accentSoft: string;
  success: string;
  successSoft: string;
  warning: string;
  warningSoft: string;
  error: string;
  errorSoft: string;
  hover: string;
}

export const lightColors: SchemeColors = {
  bg: '#F4F4F3',
  surface: '#FFFFFF',
  raised: '#FFFFFF',
  sunken: '#ECECEB',
  line: '#DFDFDD',
  control: '#85857F',
  ink: '#141413',
  ink2: '#55554F',
  ink3: '#696963',
  accent: '#C9410E',
  accentHover: '#A93409',
  accentText: '#B53A0C',
  onAccent: '#FFFFFF',
  accentSoft: '#FBE9E1',
  success: '#17734A',
  successSoft: '#E2F2EA',
  warning: '#855300',
  warningSoft: '#FAEFD9',
  error: '#B0123F',
  errorSoft: '#FBE6EB',
  hover: 'rgb(20 20 19 / 0.05)',
};

export const darkColors: SchemeColors = {
  bg: '#0E0E0E',
  surface: '#171716',
  raised: '#212120',
  sunken: '#0A0A0A',
  line: '#2E2E2C',
  control: '#74746F',
  ink: '#F3F3F1',
  ink2: '#B6B6B1',
  ink3: '#94948E',
  accent: '#FF7F47',
  accentHover: '#FF9769',
  accentText: '#FF955F',
  onAccent: '#1C0B03',
  accentSoft: '#33190E',
  success: '#5CC793',
  successSoft: '#10291D',
  warning: '#E8B65A',
  warningSoft: '#2D220E',
  error: '#FF8099',
  errorSoft: '#34121B',
  hover: 'rgb(255 255 255 / 0.06)',
};

/** Colours on dark surfaces and over photos, the same in both schemes. */
export const room = {
  ground: '#0E0E0E',
  lit: '#FF7F47',
  onLit: '#1C0B03',
  text: '#F3F3F1',
  text2: '#C9C9C4',
  scrim: 'rgba(14,14,14,0.66)',
} as const;

export const dangerFill = '#B0123F';

export const fonts = {
  display: '"Familjen Grotesk Variable", "Display Fallback", system-ui, sans-serif',
  text: '"Instrument Sans Variable", "Familjen Grotesk Variable", "Text Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
} as const;

export const radius = {
  photo: 4,
  control: 10,
  card: 16,
  menu: 14,
  dialog: 20,
  sheet: 28,
  pill: 999,
} as const;
export const container = { app: 1216, results: 1040, form: 720, phone: 480 } as const;
export const breakpoints = { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } as const;

export const motion = {
  fast: 120,
  base: 200,
  slow: 360,
  glow: 900,
  standard: 'cubic-bezier(.2,.7,.2,1)',
  exit: 'cubic-bezier(.4,0,1,1)',
  stagger: 40,
} as const;

export const lightShadows = {
  low: '0 1px 2px rgb(20 20 19 / .06)',
  menu: '0 2px 6px rgb(20 20 19 / .06), 0 12px 32px rgb(20 20 19 / .10)',
  dialog: '0 8px 20px rgb(20 20 19 / .10), 0 32px 72px rgb(20 20 19 / .20)',
} as const;

export const darkShadows = {
  low: 'none',
  menu: '0 0 0 1px #2E2E2C, 0 16px 40px rgb(0 0 0 / .5)',
  dialog: '0 0 0 1px #383836, 0 32px 80px rgb(0 0 0 / .7)',
} as const;

export const litShadow = '0 0 0 2px #FF7F47, 0 0 26px rgb(255 127 71 / .55)';
