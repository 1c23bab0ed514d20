import { plural, t } from '@lingui/core/macro';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { formatDuration } from '../../../platform/durations';
import { formatCount } from '../../../platform/formats';
import { ProgressBar } from '../../../ui/ProgressBar';
import type { Event } from '../../../platform/api/types';
import { addSample, type Sample, secondsLeft } from './throughput';

const sampleInterval = 5000;
/** The numbers come every few seconds, and photos differ: a minute says how fast it goes. */
const sampledTime = 60_000;

/** Seconds until all photos are searchable, as fast as the last ones became so; null while that is not known. */
function useSecondsLeft(indexed: number, total: number): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const latest = useRef(indexed);
  useEffect(() => {
    latest.current = indexed;
  }, [indexed]);
  const working = indexed < total;
  useEffect(() => {
    if (!working) return undefined;
    const addCurrentSample = () =>
      setSamples((old) => addSample(old, { at: performance.now(), done: latest.current }, sampledTime));
    const timer = setInterval(addCurrentSample, sampleInterval);
    return () => {
      clearInterval(timer);
      setSamples([]);
    };
  }, [working]);
  return working ? secondsLeft(samples, total - indexed) : null;
}

function searchableText(indexed: number, total: number, uploading: boolean, left: number | null): string {
  const done = formatCount(indexed);
  if (uploading)
    return plural(total, {
      one: `${done} of # photos searchable, more are on their way`,
      other: `${done} of # photos searchable, more are on their way`,
    });
  if (left === null)
    return plural(total, { one: `${done} of # photos searchable`, other: `${done} of # photos searchable` });
  const duration = formatDuration(left);
  return plural(total, {
    one: `${done} of # photos searchable, all in ${duration}`,
    other: `${done} of # photos searchable, all in ${duration}`,
  });
}

/** How far the search of faces is. */
export function FaceSearchCard({
  event,
  uploaded,
  uploading,
}: {
  event: Event;
  uploaded: number;
  uploading: boolean;
}) {
  const { indexed, failed } = event.indexing;
  // The event is some seconds old while photos arrive.
  const total = Math.max(event.indexing.total, uploaded);
  const left = useSecondsLeft(indexed + failed, total);
  if (total === 0) return null;
  return (
    <Card component="section" aria-labelledby="face-search-title" sx={{ p: 6 }}>
      <Typography variant="h3" component="h2" id="face-search-title">
        {t`Face search`}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5, mb: 4 }}>
        {searchableText(indexed, total, uploading, left)}
      </Typography>
      <ProgressBar
        label={t`Photos searchable`}
        value={(100 * indexed) / total}
        tone={indexed === total && !uploading ? 'success' : 'accent'}
      />
    </Card>
  );
}
