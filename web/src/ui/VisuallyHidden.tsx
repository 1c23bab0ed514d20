import type { ComponentProps } from 'react';
import styles from './VisuallyHidden.module.css';

/** Hides a text visually and keeps it for screen readers. */
export function VisuallyHidden({
  as: Element = 'span',
  ...props
}: ComponentProps<'span'> & { as?: 'span' | 'div' }) {
  return <Element {...(props as object)} className={styles['hidden']} />;
}
