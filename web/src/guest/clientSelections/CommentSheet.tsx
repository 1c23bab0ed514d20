import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import styles from './selection.module.css';

const maxLength = 500;

/** What the client says of one photo. */
export function CommentSheet({
  comment,
  onSave,
  onClose,
}: {
  comment: string;
  onSave: (comment: string) => void;
  onClose: () => void;
}) {
  const id = useId();
  const [entered, setEntered] = useState(comment);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    onSave(entered.trim());
    onClose();
  };
  // Beside the viewer, which hides the rest of the page from screen readers.
  return createPortal(
    <ModalSheet className={styles['sheet'] ?? ''} aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 className={styles['sheetTitle']} id={`${id}-title`}>
        {t`Your comment on this photo`}
      </h2>
      {/* The viewer takes arrows and Escape for itself. */}
      <form
        className={styles['form']}
        aria-labelledby={`${id}-title`}
        onSubmit={save}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <textarea
          ref={field}
          className={styles['field']}
          aria-labelledby={`${id}-title`}
          rows={4}
          maxLength={maxLength}
          value={entered}
          onChange={({ target }) => setEntered(target.value)}
        />
        <Button look="filled" size="large" type="submit">
          {t`Save`}
        </Button>
        <Button onClick={onClose}>{t`Cancel`}</Button>
      </form>
    </ModalSheet>,
    document.body,
  );
}
