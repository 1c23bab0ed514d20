import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { Alert } from '../../../ui/Alert';
import type { Queue } from './queue';
import { versionState } from './versions';

/** Milliseconds after which it is said what the batch waits for: most comparisons are over before. */
const longComparison = 1000;

function Comparing({ photos }: { photos: number }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), longComparison);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <Alert tone="warning">
      {plural(photos, {
        one: 'A photo of the same name is in this event. Comparing # file before anything is sent.',
        other: 'Photos of the same names are in this event. Comparing # files before anything is sent.',
      })}
    </Alert>
  );
}

/** Asks what becomes of files whose names photos of the event have, with other bytes; says so while that is found out. */
export function VersionsNotice({
  queue,
  paid,
  onDecide,
}: {
  queue: Queue;
  /** Whether photos cost credits. */
  paid: boolean;
  onDecide: (replace: boolean) => void;
}) {
  const { compared, undecided } = versionState(queue);
  if (compared > 0) return <Comparing photos={compared} />;
  const count = undecided.length;
  if (count === 0) return null;
  const late = undecided.filter(({ version }) => version?.free !== true).length;
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        {plural(count, {
          one: '# photo is in this event already, in another version.',
          other: '# photos are in this event already, in another version.',
        })}
      </Box>
      {t`A replaced photo keeps its place, its album and its hearts.`}{' '}
      {paid &&
        (late === 0
          ? t`Replacing costs nothing.`
          : plural(late, {
              one: '# of them is older than 30 days and costs a credit.',
              other: '# of them are older than 30 days and cost a credit each.',
            }))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button size="small" variant="contained" color="primary" onClick={() => onDecide(true)}>
          {plural(count, { one: 'Replace # edited photo', other: 'Replace # edited photos' })}
        </Button>
        <Button size="small" variant="outlined" onClick={() => onDecide(false)}>
          {t`Keep both`}
        </Button>
      </Box>
    </Alert>
  );
}
