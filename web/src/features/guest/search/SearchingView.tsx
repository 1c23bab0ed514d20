import { formatCount } from '../../../shared/formats';
import { MasonryGrid, ResultsColumn, ResultsHeader, rowsPerColumnWidth } from '../results/ResultsLayout';
import { Skeleton } from '../Skeleton';
import { SearchProgress } from './SearchProgress';

export const searchingText = 'Searching for your photos...';

const shapes = [0.72, 1.25, 1.25, 1.25, 1.25];

/** The selfie, the status and a skeleton of the results. */
export function SearchingView({
  preview,
  photos,
  retryAt,
  onCancel,
}: {
  preview: string | null;
  photos: number;
  /** The time of the next attempt of a rate-limited search; null while it runs. */
  retryAt: number | null;
  onCancel: () => void;
}) {
  return (
    <ResultsColumn aria-busy="true">
      <ResultsHeader preview={preview} title="Looking for you" status={searchingText} />
      <SearchProgress
        expectation={`${formatCount(photos)} ${photos === 1 ? 'photo' : 'photos'}, a few seconds`}
        retryAt={retryAt}
        onCancel={onCancel}
      />
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
