import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/** The place of what is being loaded; the global reduced-motion styles stop its animation. */
export const Skeleton = ({ style }: { style?: CSSProperties }) => (
  <div className={styles['skeleton']} style={style} />
);

/** The place of what an event's page begins with: a title, what is said of it, its button, and what is `below` that, in pixels. */
export const SheetSkeleton = ({ below }: { below: number | string }) => (
  <>
    <Skeleton style={{ width: '60%', height: 36 }} />
    <Skeleton style={{ height: 116, margin: '14px 0 16px' }} />
    <Skeleton style={{ height: 64, marginBottom: below }} />
  </>
);
