import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Icon } from './Icon';

type Tone = 'success' | 'error' | 'warning';

/** An inline message. An error is announced assertively to screen readers, the others politely. */
export function Alert({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Box
      role={tone === 'error' ? 'alert' : 'status'}
      sx={(theme) => ({
        display: 'flex',
        gap: 2.5,
        alignItems: 'flex-start',
        p: '12px 14px',
        borderRadius: '10px',
        fontSize: 15,
        lineHeight: 1.45,
        color: theme.vars.palette[tone].main,
        backgroundColor: theme.vars.palette.soft[tone],
        '& svg': { mt: '1px' },
      })}
    >
      <Icon name={tone === 'success' ? 'check' : 'alert'} />
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
    </Box>
  );
}
