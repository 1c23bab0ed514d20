import { t } from '@lingui/core/macro';
import { ProgressBar } from '../ui/ProgressBar';
import { formatCount } from '../platform/formats';
import styles from './IndexingProgress.module.css';
import type { Indexing } from './search/matches';

/** 'N of M photos searchable' with a progress bar, while some are not yet. */
export function IndexingProgress({ indexing: { indexed, waiting, total } }: { indexing: Indexing }) {
  if (waiting === 0) return null;
  return (
    <div className={styles['indexing']}>
      <div className={styles['bar']}>
        <ProgressBar value={(indexed / total) * 100} label={t`Photos searchable`} />
      </div>
      <span>{t`${{ indexed: formatCount(indexed) }} of ${{ total: formatCount(total) }} photos searchable`}</span>
    </div>
  );
}
