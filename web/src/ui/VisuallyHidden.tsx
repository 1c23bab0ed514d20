import type { ComponentProps } from 'react';
import styles from './VisuallyHidden.module.css';

/** Hides a text visually and keeps it for screen readers. */
export function VisuallyHidden({
  as: Element = 'span',
  ...props
}: ComponentProps<'span'> & { as?: 'span' | 'div' }) {
  return <Element {...(props as object)} className={styles['hidden']} />;
}

/** The same as an object, for what is hidden at some widths only. */
export const visuallyHiddenStyle = {
  position: 'absolute',
  // Not 1, which the style system takes for the full width.
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;
