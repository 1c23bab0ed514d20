import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useSnackbarOffset } from '../../shared/components/useSnackbarOffset';

const Bar = styled('section')(({ theme }) => ({
  position: 'fixed',
  left: '50%',
  bottom: 0,
  zIndex: theme.zIndex.appBar - 1,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '8px 16px',
  width: '100%',
  padding: '10px 16px max(10px, env(safe-area-inset-bottom))',
  transform: 'translateX(-50%)',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.raised,
  boxShadow: theme.vars.palette.shadow.dialog,
  [theme.breakpoints.up('md')]: {
    bottom: 24,
    width: 'max-content',
    maxWidth: 'calc(100% - 64px)',
    padding: '10px 10px 10px 20px',
    borderRadius: 20,
  },
}));

/** What is selected and, as `children`, what can be done with it, always in sight. */
export function SelectionFrame({
  text,
  note = '',
  children,
}: {
  text: string;
  note?: string;
  children: ReactNode;
}) {
  useSnackbarOffset(note === '' ? 124 : 148, 108);
  return (
    <Bar aria-label={t`Selection`}>
      <Box role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
          {text}
        </Box>
        {note !== '' && (
          <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.secondary' }}>
            {note}
          </Box>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>{children}</Box>
    </Bar>
  );
}
