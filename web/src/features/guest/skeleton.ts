import type { CSSObject, Theme } from '@mui/material/styles';

/** The wave animation of a skeleton; the global reduced-motion styles stop it. */
export const skeletonFill = (theme: Theme): CSSObject => ({
  background: `linear-gradient(100deg, ${theme.vars.palette.divider} 35%, ${theme.vars.palette.sunken} 50%, ${theme.vars.palette.divider} 65%) 0 0 / 220% 100%`,
  animation: 'skeleton-wave 1.6s linear infinite',
  '@keyframes skeleton-wave': { to: { backgroundPosition: '-220% 0' } },
});
