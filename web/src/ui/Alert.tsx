import type { ReactNode } from 'react';
import styles from './Alert.module.css';
import { Icon } from './Icon';

type Tone = 'success' | 'error' | 'warning';

/** An inline message. An error is announced assertively to screen readers, the others politely. */
export function Alert({ tone, children }: { tone: Tone; children: ReactNode }) {
  const role = tone === 'error' ? 'alert' : 'status';
  return (
    <div role={role} className={`${styles['alert']} ${styles[tone]}`}>
      <Icon name={tone === 'success' ? 'check' : 'alert'} />
      <div className={styles['text']}>{children}</div>
    </div>
  );
}
