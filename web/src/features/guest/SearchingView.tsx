import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { formatCount } from '../../shared/formats';
import {
  GridContainer,
  MasonryGrid,
  ResultsContainer,
  ResultsHeader,
  rowsPerColumnWidth,
} from './ResultsLayout';
import { SelfiePreview } from './SelfiePreview';
import { skeletonFill } from './skeleton';
import { ViewTitle } from './ViewTitle';

export const searchingText = 'Searching for your photos...';

const Skeleton = styled('div')(({ theme }) => ({ height: '100%', borderRadius: 4, ...skeletonFill(theme) }));

const shapes = [0.72, 1.25, 1.25, 1.25, 1.25];

function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - Date.now()) / 1000));
}

/** Counts down to the next attempt of a rate-limited search. */
function RetryCountdown({ retryAt }: { retryAt: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(retryAt));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(retryAt)), 1000);
    return () => clearInterval(timer);
  }, [retryAt]);
  return (
    <>
      Many people here are searching right now. Your turn is in {seconds}
      {'\u00a0'}s.
    </>
  );
}

/** The selfie, the status and a skeleton of the results. */
export function SearchingView({
  preview,
  photos,
  retryAt,
}: {
  preview: string | null;
  photos: number;
  /** The time of the next attempt of a rate-limited search; null while it runs. */
  retryAt: number | null;
}) {
  return (
    <ResultsContainer id="main" aria-busy="true">
      <ResultsHeader>
        <SelfiePreview preview={preview} size={64} />
        <div>
          <ViewTitle component="h1">Looking for you</ViewTitle>
          <Typography variant="body2" color="textSecondary" role="status">
            {searchingText}
          </Typography>
        </div>
      </ResultsHeader>
      <ProgressBar large label="Searching" />
      <Typography variant="caption" component="p" color="textDisabled" sx={{ mt: 2 }}>
        {retryAt === null ? (
          `${formatCount(photos)} photos, a few seconds`
        ) : (
          <RetryCountdown key={retryAt} retryAt={retryAt} />
        )}
      </Typography>
      <Box sx={{ mt: 4 }}>
        <GridContainer aria-hidden="true">
          <MasonryGrid>
            {shapes.map((shape, index) => (
              <li key={index} style={{ '--rows': Math.round(rowsPerColumnWidth * shape) }}>
                <Skeleton />
              </li>
            ))}
          </MasonryGrid>
        </GridContainer>
      </Box>
    </ResultsContainer>
  );
}
