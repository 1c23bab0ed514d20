import type { ComponentProps } from 'react';
import { Skeleton } from '../Skeleton';
import styles from './ResultsLayout.module.css';

/** Grid rows per column width: more rows keep the aspect ratios more exact. */
const rowsPerColumnWidth = 64;

/** The main column of the searching and results views. */
export const ResultsColumn = (props: ComponentProps<'main'>) => (
  <main id="main" {...props} className={styles['column']} />
);

const skeletonShapes = [0.72, 1.25, 1.25, 1.25, 1.25];

/** The list of photos before it is there. */
export const SkeletonGrid = () => (
  <div className={styles['grid']} aria-hidden="true">
    <ul className={styles['masonry']}>
      {skeletonShapes.map((shape, index) => (
        <li key={index} style={{ '--rows': Math.round(rowsPerColumnWidth * shape) }}>
          <Skeleton style={{ height: '100%', borderRadius: 4 }} />
        </li>
      ))}
    </ul>
  </div>
);
