import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { StateChip } from '../../ui/StateChip';
import type { Account } from './types';

/** What is special about an account. */
export function AccountChips({ account }: { account: Account }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
      {account.locked != null && (
        <StateChip tone="error" label={t({ context: 'account', message: 'Locked' })} />
      )}
      {!account.verified && <StateChip tone="warning" label={t`Not verified`} />}
      {account.administrator && <StateChip tone="success" label={t`Administrator`} />}
      {account.premium && <StateChip label={t`Premium`} />}
    </Box>
  );
}
