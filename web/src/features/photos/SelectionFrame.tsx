import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/components/Icon';
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

/** A row of its own on a phone, where icons beside the texts would make another. */
const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  [theme.breakpoints.down('sm')]: {
    flex: '1 0 100%',
    '& > *': { flex: '1 0 auto' },
    '& .MuiButton-startIcon': { display: 'none' },
  },
}));

/** A cross on a phone. */
function ClearButton({ onClear }: { onClear: () => void }) {
  const text = t`Clear selection`;
  return (
    <Button
      size="small"
      aria-label={text}
      onClick={onClear}
      sx={{ minWidth: { xs: 40, sm: 64 }, mr: { xs: -2, sm: 0 } }}
    >
      <Box component="span" sx={{ display: { xs: 'flex', sm: 'none' } }}>
        <Icon name="close" />
      </Box>
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
        {text}
      </Box>
    </Button>
  );
}

/** What is selected and, as `children`, what can be done with it, always in sight. */
export function SelectionFrame({
  text,
  note = '',
  more,
  onClear,
  children,
}: {
  text: string;
  note?: string;
  /** What selects more, beside the button that clears the selection. */
  more?: ReactNode;
  onClear?: () => void;
  children: ReactNode;
}) {
  useSnackbarOffset(note === '' ? 112 : 132, 108);
  return (
    <Bar aria-label={t`Selection`}>
      <Box
        role="status"
        sx={{ flex: { xs: 1, sm: 'none' }, minWidth: 0, fontVariantNumeric: 'tabular-nums' }}
      >
        <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
          {text}
        </Box>
        {note !== '' && (
          <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.secondary' }}>
            {note}
          </Box>
        )}
      </Box>
      {onClear !== undefined && (
        <Box sx={{ display: 'flex', flex: 'none', gap: 2 }}>
          {more}
          <ClearButton onClear={onClear} />
        </Box>
      )}
      <Actions>{children}</Actions>
    </Bar>
  );
}
