import { t } from '@lingui/core/macro';
import { Icon } from '../../../shared/components/Icon';
import styles from './HeartButton.module.css';

/** Puts a heart on a photo, or takes it back. */
export const HeartButton = ({
  position,
  on,
  onToggle,
}: {
  /** From 1. */
  position: number;
  on: boolean;
  onToggle: () => void;
}) => (
  <button
    type="button"
    className={styles['heart']}
    aria-label={t`Photo ${position} is a favourite`}
    aria-pressed={on}
    onClick={onToggle}
  >
    <Icon name="heart" />
  </button>
);
