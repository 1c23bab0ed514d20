import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { formatCount } from '../../shared/formats';
import { Column, ColumnHead, GridFrame, TileGrid, tileRows } from './Column';
import { SelfiePreview } from './SelfiePreview';
import { skeletonFill } from './skeleton';
import { ViewTitle } from './ViewTitle';

export const searchingText = 'Searching for your photos...';

const Bone = styled('div')(({ theme }) => ({ height: '100%', borderRadius: 4, ...skeletonFill(theme) }));

const shapes = [0.72, 1.25, 1.25, 1.25, 1.25];

function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - Date.now()) / 1000));
}

/** Counts down to the moment when a search begins that waits for its turn. */
function Turn({ startsAt }: { startsAt: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(startsAt));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(startsAt)), 1000);
    return () => clearInterval(timer);
  }, [startsAt]);
  return (
    <>
      Many people here are searching right now. Your turn is in {seconds}
      {'\u00a0'}s.
    </>
  );
}

/** The selfie, what is going on, and the boxes of what comes. */
export function SearchingView({
  preview,
  photos,
  startsAt,
}: {
  preview: string | null;
  photos: number;
  /** When the search begins that waits for its turn; null while it runs. */
  startsAt: number | null;
}) {
  return (
    <Column id="main" aria-busy="true">
      <ColumnHead>
        <SelfiePreview preview={preview} size={64} />
        <div>
          <ViewTitle component="h1">Looking for you</ViewTitle>
          <Typography variant="body2" color="textSecondary" role="status">
            {searchingText}
          </Typography>
        </div>
      </ColumnHead>
      <ProgressBar large label="Searching" />
      <Typography variant="caption" component="p" color="textDisabled" sx={{ mt: 2 }}>
        {startsAt === null ? (
          `${formatCount(photos)} photos, a few seconds`
        ) : (
          <Turn key={startsAt} startsAt={startsAt} />
        )}
      </Typography>
      <Box sx={{ mt: 4 }}>
        <GridFrame aria-hidden="true">
          <TileGrid>
            {shapes.map((shape, index) => (
              <li key={index} style={{ '--rows': Math.round(tileRows * shape) }}>
                <Bone />
              </li>
            ))}
          </TileGrid>
        </GridFrame>
      </Box>
    </Column>
  );
}
