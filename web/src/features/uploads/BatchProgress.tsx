import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { VisuallyHidden } from '../../shared/components/VisuallyHidden';
import { formatBytes, formatCount, formatDuration } from '../../shared/formats';
import { addSample, bytesPerSecond, type Sample, secondsLeft } from './pace';
import type { Tally } from './queue';

const announceEvery = 5000;
const sampleEvery = 1000;

/** The text of `message` as it was up to 5 s ago, so that a screen reader is not talked over. */
function useCalm(message: string): string {
  const [said, setSaid] = useState(message);
  const latest = useRef(message);
  useEffect(() => {
    latest.current = message;
  }, [message]);
  useEffect(() => {
    const timer = setInterval(() => setSaid(latest.current), announceEvery);
    return () => clearInterval(timer);
  }, []);
  return said;
}

function usePace(tally: Tally) {
  const [samples, setSamples] = useState<Sample[]>([]);
  const latest = useRef(tally);
  useEffect(() => {
    latest.current = tally;
  }, [tally]);
  const running = tally.running > 0;
  useEffect(() => {
    if (!running) return undefined;
    const take = () =>
      setSamples((old) => addSample(old, { at: performance.now(), bytes: latest.current.bytesDone }));
    const timer = setInterval(take, sampleEvery);
    return () => {
      clearInterval(timer);
      setSamples([]);
    };
  }, [running]);
  return {
    speed: bytesPerSecond(samples),
    left: secondsLeft(samples, tally.bytesTotal - tally.bytesDone),
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

/** How far the batch is, at which pace, and when it will be over. */
export function BatchProgress({ tally, paused }: { tally: Tally; paused: boolean }) {
  const { speed, left } = usePace(tally);
  const ended = tally.completed + tally.failed;
  const line = `${formatCount(ended)} of ${formatCount(tally.total)}`;
  const said = useCalm(`${line} photos done, ${formatCount(tally.failed)} failed.`);
  const open = tally.running + tally.waiting > 0;
  return (
    <Card component="section" aria-label="Progress" sx={{ p: 6 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 3, mb: 4 }}>
        <Typography variant="figure" component="p" sx={{ flex: 1, fontSize: 64 }}>
          {tally.percent}
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
            {line}
          </Box>
          {open && (
            <>
              <br />
              {paused ? 'paused' : left === null ? 'measuring' : `${formatDuration(left)} left`}
              {!paused && speed !== null && (
                <>
                  <br />
                  {formatBytes(speed)}/s
                </>
              )}
            </>
          )}
        </Typography>
      </Box>
      <ProgressBar
        large
        label="Overall progress"
        value={tally.percent}
        tone={open || tally.failed > 0 ? 'accent' : 'success'}
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
        <Count value={tally.completed} label="uploaded" />
        <Count value={tally.failed} label="failed" />
        <Count value={tally.running} label="in progress" />
        <Count value={tally.waiting} label="waiting" />
      </Box>
      {tally.duplicates > 0 && (
        <Typography variant="caption" component="p" color="textDisabled" sx={{ mt: 2 }}>
          {formatCount(tally.duplicates)} already there, free of charge
        </Typography>
      )}
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </Card>
  );
}
