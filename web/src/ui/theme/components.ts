import type { ButtonProps } from '@mui/material/Button';
import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import { radius } from './tokens';

type ThemeComponents = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

type ButtonColor = NonNullable<ButtonProps['color']>;

const paletteColor = (color: ButtonColor = 'ink') => (color === 'inherit' ? 'ink' : color);

export const components: ThemeComponents = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      body: { WebkitFontSmoothing: 'antialiased' },
      'h1, h2, h3': { textWrap: 'balance' },
      // Its words are long, and are not hyphenated.
      '@media (max-width: 599.95px)': { ':root:lang(ta)': { '--heading-scale': '0.8' } },
      ':focus-visible': { outline: `3px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0s !important',
          animationIterationCount: '1 !important',
          transitionDuration: '0s !important',
          scrollBehavior: 'auto !important',
        },
      },
    }),
  },
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: ({ theme }) => ({
        fontFamily: 'inherit',
        '&.Mui-focusVisible': {
          outline: `3px solid ${theme.vars.palette.primary.main}`,
          outlineOffset: 2,
        },
      }),
    },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, color: 'ink', variant: 'text' },
    styleOverrides: {
      root: ({ theme, ownerState }) => ({
        minHeight: 44,
        padding: '0 18px',
        borderRadius: radius.control,
        whiteSpace: 'nowrap',
        gap: 8,
        '&.Mui-disabled': { opacity: 0.45 },
        ...(ownerState.size === 'small' && { minHeight: 36, padding: '0 12px', fontSize: 14, gap: 6 }),
        ...(ownerState.size === 'large' && {
          minHeight: 52,
          padding: '0 24px',
          fontSize: 16,
          borderRadius: 12,
        }),
        ...(ownerState.size === 'xl' && {
          minHeight: 64,
          padding: '0 28px',
          fontSize: 19,
          borderRadius: 20,
          letterSpacing: '-0.01em',
          width: '100%',
        }),
        ...(ownerState.variant === 'outlined' && {
          color: theme.vars.palette.text.primary,
          borderColor: theme.vars.palette.control,
          backgroundColor: theme.vars.palette.background.paper,
          '&:hover': {
            borderColor: theme.vars.palette.control,
            backgroundColor: theme.vars.palette.background.paper,
            backgroundImage: `linear-gradient(${theme.vars.palette.hover}, ${theme.vars.palette.hover})`,
          },
        }),
        ...(ownerState.variant === 'text' && {
          '&:hover': { backgroundColor: theme.vars.palette.hover },
          '&.Mui-disabled': { opacity: 0.45, color: theme.vars.palette[paletteColor(ownerState.color)].main },
        }),
        ...(ownerState.variant === 'contained' &&
          ownerState.color === 'ink' && {
            '&:hover': { backgroundColor: theme.vars.palette.ink.main, opacity: 0.88 },
          }),
        // Disabled buttons keep their colours at 45 % opacity.
        ...(ownerState.variant === 'contained' && {
          '&.Mui-disabled': {
            opacity: 0.45,
            color: theme.vars.palette[paletteColor(ownerState.color)].contrastText,
            backgroundColor: theme.vars.palette[paletteColor(ownerState.color)].main,
          },
        }),
      }),
      startIcon: { margin: 0 },
      endIcon: { margin: 0 },
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        width: 44,
        height: 44,
        borderRadius: radius.control,
        color: theme.vars.palette.text.primary,
        '&:hover': { backgroundColor: theme.vars.palette.hover },
      }),
    },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 48,
        fontSize: 16,
        backgroundColor: theme.vars.palette.background.paper,
        '& .MuiOutlinedInput-notchedOutline, &:hover .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.control,
        },
        '&.Mui-focused': {
          boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette.primary.main} 22%, transparent)`,
        },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': {
          borderWidth: 1,
          borderColor: theme.vars.palette.primary.main,
        },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': {
          borderWidth: 2,
          borderColor: theme.vars.palette.error.main,
        },
      }),
      input: ({ theme }) => ({
        padding: '11px 14px',
        height: 'auto',
        '&:focus-visible': { outline: 'none' },
        '&::placeholder': { opacity: 1, color: theme.vars.palette.text.disabled },
      }),
      multiline: { padding: 0 },
    },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: ({ theme }) => ({
        margin: '6px 0 0',
        fontSize: 13,
        display: 'flex',
        gap: 6,
        alignItems: 'center',
        color: theme.vars.palette.text.disabled,
        '&.Mui-error': { color: theme.vars.palette.error.main },
      }),
    },
  },
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: 'none' } },
  },
  MuiCard: {
    defaultProps: { variant: 'outlined' },
    styleOverrides: { root: { borderRadius: radius.card } },
  },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({
        width: 420,
        margin: 16,
        padding: 28,
        borderRadius: radius.dialog,
        backgroundColor: theme.vars.palette.raised,
        boxShadow: theme.vars.palette.shadow.dialog,
        [theme.breakpoints.down('sm')]: {
          width: '100%',
          maxWidth: '100%',
          margin: 0,
          padding: '24px 20px max(20px, env(safe-area-inset-bottom))',
          borderRadius: `${radius.sheet}px ${radius.sheet}px 0 0`,
        },
      }),
      container: ({ theme }) => ({ [theme.breakpoints.down('sm')]: { alignItems: 'flex-end' } }),
    },
  },
  MuiDialogTitle: {
    styleOverrides: { root: ({ theme }) => ({ ...theme.typography.h3, padding: 0 }) },
  },
  MuiDialogContent: { styleOverrides: { root: { padding: 0, overflowY: 'visible' } } },
  MuiDialogActions: {
    styleOverrides: {
      root: ({ theme }) => ({
        padding: 0,
        marginTop: 24,
        gap: 8,
        '& > :not(style) ~ :not(style)': { marginLeft: 0 },
        [theme.breakpoints.down('sm')]: {
          flexDirection: 'column-reverse',
          alignItems: 'stretch',
        },
      }),
    },
  },
  MuiMenu: {
    styleOverrides: {
      paper: ({ theme }) => ({
        borderRadius: radius.menu,
        backgroundColor: theme.vars.palette.raised,
        boxShadow: theme.vars.palette.shadow.menu,
      }),
      list: { padding: 6 },
    },
  },
  MuiMenuItem: { styleOverrides: { root: { minHeight: 44, borderRadius: radius.control, fontSize: 15 } } },
  MuiPopover: {
    styleOverrides: {
      paper: ({ theme }) => ({
        borderRadius: radius.menu,
        backgroundColor: theme.vars.palette.raised,
        boxShadow: theme.vars.palette.shadow.menu,
      }),
    },
  },
  MuiSwitch: {
    styleOverrides: {
      root: { width: 44, height: 26, padding: 0, flex: 'none', margin: '0 8px' },
      switchBase: ({ theme }) => ({
        padding: 3,
        color: '#FFFFFF',
        '&.Mui-checked': { transform: 'translateX(18px)', color: theme.vars.palette.primary.contrastText },
        '&.Mui-checked + .MuiSwitch-track': { opacity: 1, backgroundColor: theme.vars.palette.primary.main },
        '&.Mui-disabled + .MuiSwitch-track': { opacity: 0.45 },
        '&.Mui-focusVisible + .MuiSwitch-track': {
          outline: `3px solid ${theme.vars.palette.primary.main}`,
          outlineOffset: 2,
        },
      }),
      thumb: { width: 20, height: 20, boxShadow: 'none' },
      track: ({ theme }) => ({ borderRadius: 13, opacity: 1, backgroundColor: theme.vars.palette.control }),
      sizeSmall: {
        width: 44,
        height: 26,
        padding: 0,
        '& .MuiSwitch-switchBase': { padding: 3 },
        '& .MuiSwitch-thumb': { width: 20, height: 20 },
      },
    },
  },
  MuiChip: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: 28,
        fontSize: 13,
        fontWeight: 600,
        fontVariantNumeric: 'tabular-nums',
        color: theme.vars.palette.text.secondary,
        backgroundColor: theme.vars.palette.sunken,
      }),
      label: { padding: '0 10px' },
    },
  },
  MuiSkeleton: {
    defaultProps: { animation: 'wave', variant: 'rectangular' },
    styleOverrides: {
      root: ({ theme }) => ({ backgroundColor: theme.vars.palette.divider, borderRadius: radius.photo }),
    },
  },
  MuiTooltip: {
    styleOverrides: {
      tooltip: ({ theme }) => ({
        fontSize: 13,
        fontWeight: 400,
        color: theme.vars.palette.background.default,
        backgroundColor: theme.vars.palette.text.primary,
      }),
    },
  },
  MuiBadge: {
    styleOverrides: {
      badge: ({ theme }) => ({
        minWidth: 18,
        height: 18,
        padding: '0 5px',
        fontSize: 11,
        fontWeight: 600,
        boxShadow: `0 0 0 2px ${theme.vars.palette.background.paper}`,
      }),
    },
  },
  MuiToggleButtonGroup: {
    styleOverrides: {
      root: ({ theme }) => ({ backgroundColor: theme.vars.palette.sunken, borderRadius: 12, padding: 3 }),
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 38,
        padding: '0 14px',
        border: 0,
        fontSize: 14,
        fontWeight: 500,
        borderRadius: '9px !important',
        color: theme.vars.palette.text.secondary,
        '&.Mui-selected, &.Mui-selected:hover': {
          color: theme.vars.palette.text.primary,
          fontWeight: 600,
          backgroundColor: theme.vars.palette.background.paper,
          boxShadow: theme.vars.palette.shadow.low,
        },
      }),
    },
  },
  MuiLink: {
    defaultProps: { color: 'inherit' },
    styleOverrides: {
      root: ({ theme }) => ({
        fontWeight: 600,
        textUnderlineOffset: 4,
        textDecorationThickness: 1,
        textDecorationColor: theme.vars.palette.control,
      }),
    },
  },
};
