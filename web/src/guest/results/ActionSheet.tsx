import { t } from '@lingui/core/macro';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import styles from './ActionSheet.module.css';

/** Something that can be done with a photo, or with the results. */
export interface Action {
  label: string;
  run: () => void;
}

/** What else can be done here, as a list of buttons. */
export function ActionSheet({
  label,
  actions,
  onClose,
}: {
  label: string;
  actions: readonly Action[];
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
            // After the sheet has given the focus back.
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
