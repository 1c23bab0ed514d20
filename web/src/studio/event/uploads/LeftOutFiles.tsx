import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Alert } from '../../../ui/Alert';

import type { LeftOut } from './droppedFiles';

const maxShown = 100;

const rawText = (count: number) =>
  plural(count, {
    one: '# RAW file was left out. Choose its JPEG instead.',
    other: '# RAW files were left out. Choose their JPEGs instead.',
  });
const otherText = (count: number) =>
  plural(count, {
    one: '# file is no image and was left out.',
    other: '# files are no images and were left out.',
  });

const developedText = (count: number) =>
  plural(count, { one: '# RAW file left out', other: '# RAW files left out' });

/** Names the chosen files that are not uploaded, until it is dismissed; RAW files beside their JPEGs are only counted. */
export function LeftOutFiles({
  files: { raw, other, developed },
  onDismiss,
}: {
  files: LeftOut;
  onDismiss: () => void;
}) {
  const names = [...raw, ...other];
  const more = names.length - maxShown;
  if (names.length + developed === 0) return null;
  return (
    <Alert tone={names.length > 0 ? 'warning' : 'success'}>
      {developed > 0 && <Box sx={{ fontWeight: 600 }}>{developedText(developed)}</Box>}
      {raw.length > 0 && (
        <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
          {rawText(raw.length)}
        </Box>
      )}
      {other.length > 0 && (
        <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
          {otherText(other.length)}
        </Box>
      )}
      {names.length > 0 && (
        <Box
          component="ul"
          tabIndex={0}
          aria-label={t`Files left out`}
          sx={{ m: 0, mt: 1.5, pl: 5, maxHeight: 120, overflow: 'auto', fontSize: 14 }}
        >
          {names.slice(0, maxShown).map((name, index) => (
            <li key={`${index} ${name}`}>{name}</li>
          ))}
          {more > 0 && <li>{plural(more, { one: 'and # more', other: 'and # more' })}</li>}
        </Box>
      )}
      <Box sx={{ mt: 3 }}>
        <Button size="small" variant="outlined" onClick={onDismiss}>
          {t`Dismiss`}
        </Button>
      </Box>
    </Alert>
  );
}
