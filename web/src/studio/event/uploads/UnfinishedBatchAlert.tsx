import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import { Alert } from '../../../ui/Alert';
import { formatCount } from '../../../platform/formats';
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
  reopening,
  onDismiss,
  onContinue,
}: {
  photos: MissingPhotos;
  /** Whether the browser is opening the files. */
  reopening: boolean;
  onDismiss: () => void;
  /** Null where the browser has kept nothing by which the files could be read again. */
  onContinue: (() => void) | null;
}) {
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        {missingText(photos)}
      </Box>
      {onContinue === null
        ? t`Choose the same files or folder again: what is there already is recognised and costs nothing.`
        : t`This browser can open them again, if they are where they were. What is there already costs nothing.`}
      <Box sx={{ mt: 3, display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {onContinue !== null && (
          <Button size="small" variant="contained" loading={reopening} onClick={onContinue}>
            {t`Continue uploading`}
          </Button>
        )}
        <Button size="small" variant="outlined" onClick={onDismiss}>
          {t`Dismiss`}
        </Button>
      </Box>
    </Alert>
  );
}
