import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { container } from '../ui/theme/tokens';

/** A full-width section of a page. */
export const PageSection = styled('section')(({ theme }) => ({
  padding: '72px 20px',
  [theme.breakpoints.up('md')]: { padding: '104px 32px' },
  '&[data-joined=true]': { paddingTop: 0 },
  '&[data-surface=true]': { backgroundColor: theme.vars.palette.background.paper },
}));

/** The centred content of a section. */
export const PageSectionContent = styled('div')({ maxWidth: container.app, margin: '0 auto' });

export function PageSectionTitle({ children }: { children: ReactNode }) {
  return (
    <Typography
      variant="h2"
      sx={{
        fontSize: { xs: 'calc(34px * var(--heading-scale, 1))', md: 44 },
        lineHeight: 1.06,
        letterSpacing: '-0.03em',
        maxWidth: 'calc(18ch / var(--heading-scale, 1))',
      }}
    >
      {children}
    </Typography>
  );
}

/** The main landmark of a full-width page. */
export const FullWidthMain = styled('main')({ width: '100%', overflowX: 'clip' });
