import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { ProgressBar } from '../../ui/ProgressBar';
import { Button } from '../Button';
import text from '../text.module.css';
import styles from './SearchProgress.module.css';

/** Milliseconds after which a search is said to take long. */
export const slowSearchTime = 10_000;

const secondsUntil = (moment: number): number => Math.max(1, Math.ceil((moment - Date.now()) / 1000));

/** Counts down to the next attempt of a rate-limited search. */
function RetryCountdown({ retryAt }: { retryAt: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(retryAt));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(retryAt)), 1000);
    return () => clearInterval(timer);
  }, [retryAt]);
  return t`Many people here are searching right now. Your turn is in ${seconds} s.`;
}

/** Whether it takes long. */
export function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowSearchTime);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}

/** The progress of a search: what to expect, and Cancel. */
export function SearchProgress({
  expectation = '',
  retryAt,
  onCancel,
}: {
  expectation?: string;
  /** The time of the next attempt of a rate-limited search; null while it runs. */
  retryAt: number | null;
  onCancel: () => void;
}) {
  const slow = useSlow();
  return (
    <div className={styles['progress']}>
      <ProgressBar large label={t`Searching`} />
      <div className={styles['row']}>
        <p className={text['caption']} role={slow && retryAt === null ? 'status' : undefined}>
          {retryAt !== null ? (
            <RetryCountdown key={retryAt} retryAt={retryAt} />
          ) : slow ? (
            t`This takes longer than usual. Please keep this page open.`
          ) : (
            expectation
          )}
        </p>
        <Button className={styles['cancel']} onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </div>
  );
}
