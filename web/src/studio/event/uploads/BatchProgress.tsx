import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { ProgressBar } from '../../../ui/ProgressBar';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { formatDuration } from '../../../platform/durations';
import { formatBytes } from '../../../platform/bytes';
import { formatCount } from '../../../platform/formats';
import { addSample, perSecond, type Sample, secondsLeft } from './throughput';
import type { QueueStats } from './queueStats';

const announceInterval = 5000;
const sampleInterval = 1000;

/** `text`, updated at most every 5 s, so that a screen reader is not interrupted. */
function useThrottledText(text: string): string {
  const [announced, setAnnounced] = useState(text);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), announceInterval);
    return () => clearInterval(timer);
  }, []);
  return announced;
}

function useThroughput(stats: QueueStats) {
  const [samples, setSamples] = useState<Sample[]>([]);
  const latest = useRef(stats);
  useEffect(() => {
    latest.current = stats;
  }, [stats]);
  const running = stats.running > 0;
  useEffect(() => {
    if (!running) return undefined;
    const addCurrentSample = () =>
      setSamples((old) => addSample(old, { at: performance.now(), done: latest.current.bytesSent }));
    const timer = setInterval(addCurrentSample, sampleInterval);
    return () => {
      clearInterval(timer);
      setSamples([]);
    };
  }, [running]);
  return {
    speed: perSecond(samples),
    left: secondsLeft(samples, stats.bytesLeft),
  };
}

const Count = ({ value, label }: { value: number; label: string }) => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    <Box component="b" sx={{ fontWeight: 600, color: 'text.primary' }}>
      {formatCount(value)}
    </Box>{' '}
    {label}
  </Box>
);

function announcementOf(done: string, stats: QueueStats): string {
  const { total } = stats;
  const failed = formatCount(stats.failed);
  return plural(total, {
    one: `${done} of # photos done, ${failed} failed.`,
    other: `${done} of # photos done, ${failed} failed.`,
  });
}

function remainingText(paused: boolean, seconds: number | null): string {
  if (paused) return t`paused`;
  return seconds === null ? t`measuring` : t`${{ duration: formatDuration(seconds) }} left`;
}

/**
 * The progress of the batch: the figure says how much of its bytes is uploaded, the bar how many of its photos have an
 * end, failed ones in red. With its throughput and remaining time.
 */
export function BatchProgress({ stats, paused }: { stats: QueueStats; paused: boolean }) {
  const { speed, left } = useThroughput(stats);
  const done = formatCount(stats.completed + stats.failed);
  const announcement = useThrottledText(announcementOf(done, stats));
  const { failed, running, waiting, duplicates } = stats;
  const uploaded = stats.completed - duplicates;
  const unfinished = running + waiting + stats.retrying > 0;
  return (
    <Card component="section" aria-label={t`Progress`} sx={{ p: 6 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 3, mb: 4 }}>
        <Typography variant="figure" component="p" sx={{ flex: 1, fontSize: 64 }}>
          {stats.percentUploaded}
          <Box component="small" sx={{ fontSize: '0.5em', fontWeight: 500, color: 'text.disabled' }}>
            %
          </Box>
        </Typography>
        <Typography
          component="p"
          align="right"
          sx={{ fontSize: 15, lineHeight: 1.4, color: 'text.secondary' }}
        >
          <Box component="b" sx={{ fontWeight: 600, color: 'text.primary' }}>
            {t`${done} of ${{ total: formatCount(stats.total) }}`}
          </Box>
          <br />
          {t`${{ done: formatBytes(stats.bytesUploaded) }} of ${{ total: formatBytes(stats.bytesTotal) }}`}
          {unfinished && (
            <>
              <br />
              {remainingText(paused, left)}
              {!paused && speed !== null && (
                <>
                  <br />
                  {t`${{ size: formatBytes(speed) }}/s`}
                </>
              )}
            </>
          )}
        </Typography>
      </Box>
      <ProgressBar
        large
        label={t`Overall progress`}
        value={stats.percent}
        failed={(100 * failed) / Math.max(1, stats.total)}
        tone={unfinished ? 'accent' : 'success'}
      />
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: '1fr 1fr',
          gap: '8px 16px',
          mt: 4,
          fontSize: 14,
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        <Count value={uploaded} label={plural(uploaded, { one: 'uploaded', other: 'uploaded' })} />
        <Count value={failed} label={plural(failed, { one: 'failed', other: 'failed' })} />
        <Count value={running} label={plural(running, { one: 'in progress', other: 'in progress' })} />
        <Count value={waiting} label={plural(waiting, { one: 'waiting', other: 'waiting' })} />
      </Box>
      {duplicates > 0 && (
        <Typography variant="caption" component="p" color="textDisabled" sx={{ mt: 2 }}>
          {plural(duplicates, {
            one: '# already there, free of charge',
            other: '# already there, free of charge',
          })}
        </Typography>
      )}
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
    </Card>
  );
}
