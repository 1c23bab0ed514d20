import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { radius } from '../../shared/theme/tokens';

const Container = styled('main')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  width: '100%',
  maxWidth: 480,
  minHeight: '100dvh',
  margin: '0 auto',
  [theme.breakpoints.up('md')]: { flexDirection: 'row', maxWidth: 'none' },
}));

const ImagePane = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: '1 1 auto',
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'flex-end',
  minHeight: 300,
  overflow: 'hidden',
  color: '#FFFFFF',
  backgroundColor: theme.vars.palette.room.ground,
  [theme.breakpoints.up('md')]: { flex: 1, minWidth: 0 },
}));

const Sheet = styled('section')(({ theme }) => ({
  position: 'relative',
  marginTop: -28,
  padding: '28px 20px max(18px, env(safe-area-inset-bottom))',
  borderRadius: `${radius.sheet}px ${radius.sheet}px 0 0`,
  backgroundColor: theme.vars.palette.background.paper,
  [theme.breakpoints.up('md')]: {
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'center',
    width: 520,
    margin: '0 0 0 -28px',
    padding: '88px 56px 56px',
    borderRadius: `${radius.sheet}px 0 0 ${radius.sheet}px`,
  },
}));

/** An image above a sheet; side by side from 900 px. */
export function SplitLayout({
  image,
  labelledBy,
  busy = false,
  children,
}: {
  image: ReactNode;
  labelledBy: string;
  busy?: boolean;
  children: ReactNode;
}) {
  return (
    <Container id="main" aria-busy={busy}>
      <ImagePane>{image}</ImagePane>
      <Sheet aria-labelledby={labelledBy}>
        <Box sx={{ width: '100%' }}>{children}</Box>
      </Sheet>
    </Container>
  );
}
