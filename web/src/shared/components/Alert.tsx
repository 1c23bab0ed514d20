import type { ReactNode } from 'react';
import styles from './Alert.module.css';
import { Icon } from './Icon';

type Tone = 'success' | 'error' | 'warning';

/** An inline message. An error is announced assertively to screen readers, the others politely. */
export function Alert({
  tone,
  announced = false,
  children,
}: {
  tone: Tone;
  /** A snackbar announces the same text. */
  announced?: boolean;
  children: ReactNode;
}) {
  const role = tone === 'error' ? 'alert' : 'status';
  return (
    <div role={announced ? undefined : role} className={`${styles['alert']} ${styles[tone]}`}>
      <Icon name={tone === 'success' ? 'check' : 'alert'} />
      <div className={styles['text']}>{children}</div>
    </div>
  );
}
