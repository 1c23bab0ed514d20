import type { ComponentProps } from 'react';
import { Skeleton } from '../Skeleton';
import { SelfiePreview } from '../capture/SelfiePreview';
import type { FaceBox } from '../search/matches';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import styles from './ResultsLayout.module.css';

/** Grid rows per column width: more rows keep the aspect ratios more exact. */
const rowsPerColumnWidth = 64;

/** The main column of the searching and results views. */
export const ResultsColumn = (props: ComponentProps<'main'>) => (
  <main id="main" {...props} className={styles['column']} />
);

/** The selfie with the title and the status beside it. */
export function ResultsHeader({
  preview,
  face = null,
  glowing = false,
  title,
  status,
}: {
  preview: string | null;
  /** The face to show, if there are several in the picture. */
  face?: FaceBox | null;
  glowing?: boolean;
  title: string;
  status: string;
}) {
  return (
    <div className={styles['header']}>
      <SelfiePreview preview={preview} face={face} size={64} glowing={glowing} />
      <div>
        <ViewTitle component="h1">{title}</ViewTitle>
        <p className={`${text['small']} ${styles['words']}`} role="status">
          {status}
        </p>
      </div>
    </div>
  );
}

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
