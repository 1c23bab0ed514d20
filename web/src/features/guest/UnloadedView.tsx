import { Alert } from '../../shared/components/Alert';
import { Icon } from '../../shared/components/Icon';
import { Button } from './Button';
import { MasonryGrid, ResultsColumn, rowsPerColumnWidth } from './results/ResultsLayout';
import { Skeleton } from './Skeleton';
import styles from './UnloadedView.module.css';

const shapes = [0.72, 1.25, 1.25, 1.25, 1.25];

/** The results whose code is not loaded yet. With `onRetry` it says that loading failed. */
export function UnloadedView({ onRetry }: { onRetry: (() => void) | undefined }) {
  return (
    <ResultsColumn aria-busy={onRetry === undefined}>
      {onRetry !== undefined && (
        <div className={styles['failed']}>
          <Alert tone="warning">Your photos were found, but could not be loaded over this connection.</Alert>
          <Button look="outlined" onClick={onRetry}>
            <Icon name="refresh" /> Try again
          </Button>
        </div>
      )}
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
