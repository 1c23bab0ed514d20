import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { formatPercent } from '../../../platform/amounts';

/** On the tile of a photo in a list that is about sharpness: how sharp it is. */
export const SharpnessMark = ({ sharpness }: { sharpness: number }) => (
  <Box
    component="span"
    sx={{
      position: 'absolute',
      top: 6,
      right: 6,
      p: '3px 8px',
      borderRadius: '999px',
      fontSize: 13,
      fontWeight: 600,
      lineHeight: 1.2,
      fontVariantNumeric: 'tabular-nums',
      color: '#FFFFFF',
      backgroundColor: 'rgb(14 14 14 / .62)',
      pointerEvents: 'none',
    }}
  >
    {t`${{ percent: formatPercent(sharpness * 100) }} sharp`}
  </Box>
);
