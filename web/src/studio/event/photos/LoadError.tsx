import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Alert } from '../../../ui/Alert';

/** What could not be loaded, and another attempt. */
export function LoadError({ text, busy, onRetry }: { text: string; busy: boolean; onRetry: () => void }) {
  return (
    <Box sx={{ display: 'grid', gap: 4, justifyItems: 'start', mt: 4 }}>
      <Alert tone="error">{text}</Alert>
      <Button variant="outlined" loading={busy} onClick={onRetry}>
        {t`Try again`}
      </Button>
    </Box>
  );
}
