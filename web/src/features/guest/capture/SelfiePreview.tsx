import { Icon } from '../../../shared/components/Icon';
import styles from './SelfiePreview.module.css';

/** The selfie with an accent ring; `size` in px. */
export function SelfiePreview({
  preview,
  size,
  glowing = false,
}: {
  preview: string | null;
  size: number;
  glowing?: boolean;
}) {
  return (
    <div className={styles['ring']} data-glowing={glowing} style={{ width: size, height: size }}>
      {preview === null ? (
        <Icon name="user" size={Math.round(size / 2)} />
      ) : (
        <img src={preview} alt="Your selfie" width={size} height={size} />
      )}
    </div>
  );
}
