import { t } from '@lingui/core/macro';
import { Icon } from '../../ui/Icon';
import type { FaceBox } from '../search/matches';
import { FaceCrop, useImageSize } from './FaceCrop';
import styles from './SelfiePreview.module.css';

/** The selfie with an accent ring; `size` in px. */
export function SelfiePreview({
  preview,
  size,
  face = null,
  glowing = false,
  alt = t`Your selfie`,
}: {
  preview: string | null;
  size: number;
  /** The face to show, if there are several in the picture. */
  face?: FaceBox | null;
  glowing?: boolean;
  alt?: string;
}) {
  const imageSize = useImageSize(face === null ? null : preview);
  return (
    <div className={styles['ring']} data-glowing={glowing} style={{ width: size, height: size }}>
      {preview === null ? (
        <Icon name="user" size={Math.round(size / 2)} />
      ) : face === null || imageSize === null ? (
        <img src={preview} alt={alt} width={size} height={size} />
      ) : (
        <FaceCrop preview={preview} size={imageSize} face={face} alt={alt} />
      )}
    </div>
  );
}
