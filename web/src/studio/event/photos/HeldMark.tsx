import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { Icon } from '../../../ui/Icon';

/** On the tile of a photo that guests do not see yet. */
export const HeldMark = () => (
  <Box
    component="span"
    sx={{
      position: 'absolute',
      // Guests put no hearts on what they do not see.
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
      color: '#FFFFFF',
      backgroundColor: 'rgb(14 14 14 / .62)',
      pointerEvents: 'none',
    }}
  >
    <Icon name="eyeOff" size={14} />
    {t`Held`}
  </Box>
);
