import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import { Alert } from '../../shared/components/Alert';
import { formatCount } from '../../shared/formats';
import type { MissingPhotos } from './batchMemory';

/** Shows that a batch of an earlier visit is unfinished, and how to resume it. */
export function UnfinishedBatchAlert({
  photos: { missing, total },
  onDismiss,
}: {
  photos: MissingPhotos;
  onDismiss: () => void;
}) {
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        {formatCount(missing)} of {formatCount(total)} {total === 1 ? 'photo' : 'photos'} of your last batch{' '}
        {missing === 1 ? 'is' : 'are'} still missing.
      </Box>
      Choose the same files or folder again: what is there already is recognised and costs nothing.
      <Box sx={{ mt: 3 }}>
        <Button size="small" variant="outlined" onClick={onDismiss}>
          Dismiss
        </Button>
      </Box>
    </Alert>
  );
}
