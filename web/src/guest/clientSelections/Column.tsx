import type { ComponentProps } from 'react';
import { Skeleton } from '../Skeleton';
import styles from './selection.module.css';

/** The main column of the page. */
export const Column = (props: ComponentProps<'main'>) => (
  <main id="main" {...props} className={styles['column']} />
);

/** The photos before they are there. */
export const Waiting = () => (
  <div className={styles['waiting']} aria-hidden="true">
    {Array.from({ length: 6 }, (_, at) => (
      <Skeleton key={at} style={{ height: 180, borderRadius: 4 }} />
    ))}
  </div>
);
