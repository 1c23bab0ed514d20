import { t } from '@lingui/core/macro';
import { Alert } from '../ui/Alert';
import { Icon } from '../ui/Icon';
import { Sky } from '../ui/Sky';
import { VisuallyHidden } from '../ui/VisuallyHidden';
import { Button } from './Button';
import styles from './EventPageSkeleton.module.css';
import { SheetSkeleton } from './Skeleton';
import { SplitLayout } from './SplitLayout';

const problemText = (problem: 'failed' | 'late'): string =>
  problem === 'failed'
    ? t`The event could not be loaded. Trying again by itself; please leave this page open.`
    : t`The connection is slow. The event is still being loaded; please leave this page open.`;

/** The skeleton of the event page. The sky is already final: it is generated from the slug. */
export default function EventPageSkeleton({
  slug,
  problem,
  onRetry,
}: {
  slug: string;
  /** Why the event is not there: the request failed and is repeated, or there is no answer yet. */
  problem: 'failed' | 'late' | null;
  onRetry: () => void;
}) {
  return (
    <SplitLayout
      labelledBy="loading-event"
      busy
      image={
        <div className={styles['sky']}>
          <Sky slug={slug} eager />
        </div>
      }
    >
      <VisuallyHidden id="loading-event" role="status">
        {t`Loading the event`}
      </VisuallyHidden>
      {problem !== null && (
        <div className={styles['failed']}>
          <Alert tone="warning">{problemText(problem)}</Alert>
          <Button look="outlined" onClick={onRetry}>
            <Icon name="refresh" /> {t`Try again`}
          </Button>
        </div>
      )}
      <SheetSkeleton below={120} />
    </SplitLayout>
  );
}
