import { t } from '@lingui/core/macro';
import { Alert } from '../../shared/components/Alert';
import { Icon } from '../../shared/components/Icon';
import { Button } from './Button';
import { ResultsColumn, SkeletonGrid } from './results/ResultsLayout';
import styles from './UnloadedView.module.css';

/** The results whose code is not loaded yet. With `onRetry` it says that loading failed. */
export function UnloadedView({ onRetry }: { onRetry: (() => void) | undefined }) {
  return (
    <ResultsColumn aria-busy={onRetry === undefined}>
      {onRetry !== undefined && (
        <div className={styles['failed']}>
          <Alert tone="warning">
            {t`Your photos were found, but could not be loaded over this connection.`}
          </Alert>
          <Button look="outlined" onClick={onRetry}>
            <Icon name="refresh" /> {t`Try again`}
          </Button>
        </div>
      )}
      <SkeletonGrid />
    </ResultsColumn>
  );
}
