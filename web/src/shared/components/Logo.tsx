import { styled } from '@mui/material/styles';
import { fonts } from '../theme/tokens';
import { visuallyHiddenStyle } from './VisuallyHidden';

const Wordmark = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 9,
  fontFamily: fonts.display,
  fontWeight: 600,
  fontSize: 20,
  letterSpacing: '-0.02em',
  '& path': { fill: theme.vars.palette.primary.main },
  '&[data-on-dark=true] path': { fill: theme.vars.palette.room.lit },
}));

const Name = styled('span')(({ theme }) => ({
  '&[data-compact=true]': { [theme.breakpoints.down('sm')]: visuallyHiddenStyle },
}));

/**
 * The mark, a lens with the sun half below the horizon, and the product name. `compact`: on a phone only the mark.
 */
export function Logo({ onDark = false, compact = false }: { onDark?: boolean; compact?: boolean }) {
  return (
    <Wordmark data-on-dark={onDark}>
      <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true" focusable="false">
        <path d="M2.6 13.5a9.5 9.5 0 0 0 18.8 0z" />
        <circle cx="12" cy="12" r="9.5" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <Name data-compact={compact}>Afterglow</Name>
    </Wordmark>
  );
}
