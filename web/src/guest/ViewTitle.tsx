import type { ReactNode } from 'react';
import styles from './ViewTitle.module.css';

/** The heading of a view. It is focused programmatically when the view changes, without a focus ring. */
export function ViewTitle({
  id,
  component: Heading = 'h2',
  large = false,
  children,
}: {
  id?: string;
  component?: 'h1' | 'h2';
  /** Larger from 900 px, where the sheet is a separate pane. */
  large?: boolean;
  children: ReactNode;
}) {
  return (
    <Heading id={id} className={styles['title']} tabIndex={-1} data-view-title data-large={large}>
      {children}
    </Heading>
  );
}
