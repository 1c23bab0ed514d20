import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import type { Event } from '../../platform/api/types';

/** Of an event that is shared with the photographer: whose it is, and what they do in it. */
export function SharedBy({ event: { role, owner_name } }: { event: Event }) {
  if (role === 'owner') return null;
  const owner = owner_name ?? '';
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1, mt: 2 }}>
      <Chip size="small" label={t`Shared with you`} />
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {role === 'manager' ? t`${owner} owns it, you manage it.` : t`${owner} owns it, you upload photos.`}
      </Typography>
    </Box>
  );
}
