import { useEffect, useState } from 'react';
import { ProgressBar } from '../../../shared/components/ProgressBar';
import { formatCount } from '../../../shared/formats';
import { MasonryGrid, ResultsColumn, ResultsHeader, rowsPerColumnWidth } from '../results/ResultsLayout';
import { Skeleton } from '../Skeleton';
import text from '../text.module.css';
import styles from './SearchingView.module.css';

export const searchingText = 'Searching for your photos...';

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
    <ResultsColumn aria-busy="true">
      <ResultsHeader preview={preview} title="Looking for you" status={searchingText} />
      <ProgressBar large label="Searching" />
      <p className={`${text['caption']} ${styles['expectation']}`}>
        {retryAt === null ? (
          `${formatCount(photos)} photos, a few seconds`
        ) : (
          <RetryCountdown key={retryAt} retryAt={retryAt} />
        )}
      </p>
      <MasonryGrid>
        {shapes.map((shape, index) => (
          <li key={index} style={{ '--rows': Math.round(rowsPerColumnWidth * shape) }}>
            <Skeleton style={{ height: '100%', borderRadius: 4 }} />
          </li>
        ))}
      </MasonryGrid>
    </ResultsColumn>
  );
}
