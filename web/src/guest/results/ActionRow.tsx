import type { ReactNode } from 'react';
import styles from './ActionRow.module.css';

/** What can be done with the photos, in one line that is moved sideways: however much it is, the photos stay where they are. */
export const ActionRow = ({ children }: { children: ReactNode }) => (
  <div className={styles['row']}>{children}</div>
);
