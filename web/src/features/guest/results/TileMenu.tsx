import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { Button } from '../Button';
import { useHistoryLayer } from '../useHistoryLayer';
import styles from './TileMenu.module.css';

/** Something that can be done with a photo. */
export interface PhotoAction {
  label: string;
  run: () => void;
}

/** What can be done with a photo of the list, besides opening and saving it. */
export function TileMenu({
  label,
  actions,
  onClose,
}: {
  label: string;
  actions: readonly PhotoAction[];
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useHistoryLayer(true, onClose);
  return (
    <dialog
      className={styles['dialog']}
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // The backdrop is the dialog itself; everything else is in its content.
        if (target === currentTarget) onClose();
      }}
    >
      <div className={styles['content']}>
        {actions.map((action) => (
          <Button
            key={action.label}
            look="outlined"
            onClick={() => {
              onClose();
              // A message that is shown while the dialog closes would move with it, and not be announced.
              setTimeout(action.run);
            }}
          >
            {action.label}
          </Button>
        ))}
        <Button onClick={onClose}>{t`Cancel`}</Button>
      </div>
    </dialog>
  );
}
