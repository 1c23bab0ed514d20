import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/** The place of what is being loaded; the global reduced-motion styles stop its animation. */
export const Skeleton = ({ style }: { style?: CSSProperties }) => (
  <div className={styles['skeleton']} style={style} />
);
