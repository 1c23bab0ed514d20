import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/** The place of what is being loaded; the global reduced-motion styles stop its animation. */
export const Skeleton = ({
  className = '',
  style,
}: {
  className?: string | undefined;
  style?: CSSProperties;
}) => <div className={`${styles['skeleton']} ${className}`} style={style} />;

/** The place of what an event's page begins with: a title, what is said of it, its button, and what is `below` that, in pixels. */
export const SheetSkeleton = ({ below }: { below: number | string }) => (
  <>
    <Skeleton style={{ width: '60%', height: 36 }} />
    <Skeleton className={styles['explanation']} />
    <Skeleton style={{ height: 64, marginBottom: below }} />
  </>
);
