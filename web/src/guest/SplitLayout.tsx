import type { ReactNode } from 'react';
import styles from './SplitLayout.module.css';

/** An image above a sheet; side by side from 900 px. */
export function SplitLayout({
  image,
  labelledBy,
  busy = false,
  children,
}: {
  image: ReactNode;
  /** The heading of the sheet; none while it is loaded. */
  labelledBy?: string;
  busy?: boolean;
  children: ReactNode;
}) {
  return (
    <main id="main" className={styles['container']} aria-busy={busy}>
      <div className={styles['image']}>{image}</div>
      <section className={styles['sheet']} aria-labelledby={labelledBy}>
        <div className={styles['content']}>{children}</div>
      </section>
    </main>
  );
}
