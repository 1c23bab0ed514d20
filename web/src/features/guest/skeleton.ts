import type { CSSObject, Theme } from '@mui/material/styles';

/** The moving ground of a box that waits for its content; it stands still where motion is unwanted. */
export const skeletonFill = (theme: Theme): CSSObject => ({
  background: `linear-gradient(100deg, ${theme.vars.palette.divider} 35%, ${theme.vars.palette.sunken} 50%, ${theme.vars.palette.divider} 65%) 0 0 / 220% 100%`,
  animation: 'skeleton-drift 1.6s linear infinite',
  '@keyframes skeleton-drift': { to: { backgroundPosition: '-220% 0' } },
});
