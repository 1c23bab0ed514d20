import { t } from '@lingui/core/macro';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
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
  return (
    <ModalSheet className={styles['actions'] ?? ''} aria-label={label} onClose={onClose}>
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
    </ModalSheet>
  );
}
