import type { ReactNode } from 'react';
import { SelfiePreview } from '../capture/SelfiePreview';
import type { FaceBox } from '../search/matches';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import styles from './ResultsHeader.module.css';

/** The selfie with the title and the status beside it. */
export function ResultsHeader({
  preview,
  face = null,
  glowing = false,
  title,
  status,
  menu,
}: {
  preview: string | null;
  /** The face to show, if there are several in the picture. */
  face?: FaceBox | null;
  glowing?: boolean;
  title: string;
  status: string;
  /** The button of what else there is. */
  menu?: ReactNode;
}) {
  return (
    <div className={styles['header']}>
      <SelfiePreview preview={preview} face={face} size={64} glowing={glowing} />
      <div className={styles['title']}>
        <ViewTitle component="h1">{title}</ViewTitle>
        <p className={`${text['small']} ${styles['words']}`} role="status">
          {status}
        </p>
      </div>
      {menu}
    </div>
  );
}
