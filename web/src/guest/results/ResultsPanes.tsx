import type { ReactNode } from 'react';
import styles from './ResultsPanes.module.css';

/** What is said of the photos and can be done with them, and the photos: below it, or beside it where the window is low. */
export const ResultsPanes = ({ head, children }: { head: ReactNode; children: ReactNode }) => (
  <div className={styles['panes']}>
    <div className={styles['head']}>{head}</div>
    <div className={styles['body']}>{children}</div>
  </div>
);
