import { t } from '@lingui/core/macro';
import { Icon } from '../../ui/Icon';
import styles from './selection.module.css';

/** The mark in the corner of a photo: chooses it, or takes it back. Of a selection that is finished it only says so. */
export const CornerMark = ({
  position,
  on,
  open,
  tabIndex,
  onToggle,
}: {
  /** From 1. */
  position: number;
  on: boolean;
  /** Whether something can be changed. */
  open: boolean;
  tabIndex: number | undefined;
  onToggle: () => void;
}) => {
  if (!open)
    return on ? (
      <span className={styles['corner']} role="img" aria-label={t`Chosen`} data-on="true">
        <span className={styles['disc']}>
          <Icon name="check" size={18} />
        </span>
      </span>
    ) : null;
  return (
    <button
      type="button"
      className={styles['corner']}
      tabIndex={tabIndex}
      aria-pressed={on}
      aria-label={t`Choose photo ${position}`}
      data-on={on}
      onClick={onToggle}
    >
      <span className={styles['disc']}>
        <Icon name="check" size={18} />
      </span>
    </button>
  );
};

/** The same in the viewer, in words. */
export const ViewerMark = ({ on, open, onToggle }: { on: boolean; open: boolean; onToggle: () => void }) => {
  if (!open && !on) return null;
  const text = on ? t`Chosen` : t`Choose`;
  return (
    <button
      type="button"
      className={styles['viewerMark']}
      aria-pressed={on}
      aria-disabled={!open}
      data-on={on}
      onClick={() => {
        if (open) onToggle();
      }}
    >
      <Icon name="check" size={20} />
      {text}
    </button>
  );
};
