import { t } from '@lingui/core/macro';
import { Icon } from '../../ui/Icon';
import styles from './HeartButton.module.css';

/** Puts a heart on a photo, or takes it back: its name says which. */
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
    aria-label={
      on ? t`Remove photo ${position} from your favourites` : t`Add photo ${position} to your favourites`
    }
    data-on={on}
    onClick={onToggle}
  >
    <Icon name="heart" />
  </button>
);
