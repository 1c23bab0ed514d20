import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import { Alert } from '../../shared/components/Alert';
import { formatCount } from '../../shared/formats';
import type { MissingPhotos } from './batchMemory';

function missingText({ missing, total }: MissingPhotos): string {
  if (total === 1) return t`1 of 1 photo of your last batch is still missing.`;
  const all = formatCount(total);
  return plural(missing, {
    one: `# of ${all} photos of your last batch is still missing.`,
    other: `# of ${all} photos of your last batch are still missing.`,
  });
}

/** Shows that a batch of an earlier visit is unfinished, and how to resume it. */
export function UnfinishedBatchAlert({
  photos,
  onDismiss,
}: {
  photos: MissingPhotos;
  onDismiss: () => void;
}) {
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        {missingText(photos)}
      </Box>
      {t`Choose the same files or folder again: what is there already is recognised and costs nothing.`}
      <Box sx={{ mt: 3 }}>
        <Button size="small" variant="outlined" onClick={onDismiss}>
          {t`Dismiss`}
        </Button>
      </Box>
    </Alert>
  );
}
