import { t } from '@lingui/core/macro';
import { Alert } from '../ui/Alert';
import { Icon } from '../ui/Icon';
import { Button } from './Button';
import { ResultsColumn, SkeletonGrid } from './results/ResultsLayout';
import styles from './UnloadedView.module.css';

/** In place of a view whose code is not loaded yet. With `onRetry` loading it failed. */
export function UnloadedView({
  text,
  onRetry,
}: {
  /** What the guest is told then. */
  text: string | null;
  onRetry: (() => void) | undefined;
}) {
  return (
    <ResultsColumn aria-busy={onRetry === undefined}>
      {onRetry !== undefined && (
        <div className={styles['failed']}>
          {text !== null && <Alert tone="warning">{text}</Alert>}
          <Button look="outlined" onClick={onRetry}>
            <Icon name="refresh" /> {t`Try again`}
          </Button>
        </div>
      )}
      <SkeletonGrid />
    </ResultsColumn>
  );
}
