import Box from '@mui/material/Box';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { formatCount } from '../../shared/formats';
import type { Indexing } from './matches';

/** 'N of M photos searchable' with a progress bar. */
export function IndexingProgress({ indexing: { indexed, total } }: { indexing: Indexing }) {
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 2.5,
        fontSize: 13,
        color: theme.vars.palette.text.disabled,
        fontVariantNumeric: 'tabular-nums',
      })}
    >
      <Box sx={{ flex: 'none', width: 84 }}>
        <ProgressBar value={total === 0 ? 0 : (indexed / total) * 100} label="Photos searchable" />
      </Box>
      <span>{`${formatCount(indexed)} of ${formatCount(total)} photos searchable`}</span>
    </Box>
  );
}
