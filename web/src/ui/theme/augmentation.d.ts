import type { TypographyStyle } from '@mui/material/styles';
import '@mui/material/themeCssVarsAugmentation';

interface InkColor {
  main: string;
  dark: string;
  light: string;
  contrastText: string;
}

interface AddedPalette {
  ink: InkColor;
  danger: InkColor;
  raised: string;
  sunken: string;
  control: string;
  hover: string;
  accentText: string;
  soft: { accent: string; success: string; warning: string; error: string };
  room: { ground: string; lit: string; onLit: string; text: string; text2: string; scrim: string };
  shadow: { low: string; menu: string; dialog: string };
}

declare module '@mui/material/styles' {
  interface Palette extends AddedPalette {}
  interface PaletteOptions extends Partial<AddedPalette> {}
  interface TypographyVariants {
    hero: TypographyStyle;
    cover: TypographyStyle;
    figure: TypographyStyle;
  }
  interface TypographyVariantsOptions {
    hero?: TypographyStyle;
    cover?: TypographyStyle;
    figure?: TypographyStyle;
  }
}

declare module '@mui/material/Typography' {
  interface TypographyPropsVariantOverrides {
    hero: true;
    cover: true;
    figure: true;
  }
}

declare module '@mui/material/Button' {
  interface ButtonPropsColorOverrides {
    ink: true;
    danger: true;
  }
  interface ButtonPropsSizeOverrides {
    xl: true;
  }
}
