import { plural, t } from '@lingui/core/macro';
import { ResultsHeader } from '../results/ResultsHeader';
import { ResultsColumn, SkeletonGrid } from '../results/ResultsLayout';
import { SearchProgress } from './SearchProgress';

export const searchingText = (): string => t`Searching for your photos...`;

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
      <ResultsHeader preview={preview} title={t`Looking for you`} status={searchingText()} />
      <SearchProgress
        expectation={plural(photos, { one: '# photo, a few seconds', other: '# photos, a few seconds' })}
        retryAt={retryAt}
        onCancel={onCancel}
      />
      <SkeletonGrid />
    </ResultsColumn>
  );
}
