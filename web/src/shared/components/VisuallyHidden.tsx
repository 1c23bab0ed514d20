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
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;
