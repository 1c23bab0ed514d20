import { plural } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { Icon } from '../../../ui/Icon';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { formatCount } from '../../../platform/formats';

/** On the tile of a photo: how many hearts guests have put on it. */
export const HeartMark = ({ count }: { count: number }) => (
  <Box
    component="span"
    sx={{
      position: 'absolute',
      top: 6,
      right: 6,
      display: 'flex',
      alignItems: 'center',
      gap: '4px',
      p: '3px 8px',
      borderRadius: '999px',
      fontSize: 13,
      fontWeight: 600,
      lineHeight: 1.2,
      fontVariantNumeric: 'tabular-nums',
      color: '#FFFFFF',
      backgroundColor: 'rgb(14 14 14 / .62)',
      pointerEvents: 'none',
      '& path': { fill: 'currentColor' },
    }}
  >
    <Icon name="heart" size={14} />
    <span aria-hidden="true">{formatCount(count)}</span>
    <VisuallyHidden>{plural(count, { one: '# heart', other: '# hearts' })}</VisuallyHidden>
  </Box>
);
