import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import { useDraft } from './drafts';
import styles from './selection.module.css';

const maxLength = 500;

/** What the client says of one photo. */
export function CommentSheet({
  photo,
  comment,
  onSave,
  onClose,
}: {
  /** The id of the photo. */
  photo: string;
  comment: string;
  onSave: (comment: string) => void;
  onClose: () => void;
}) {
  const id = useId();
  const { text: entered, write, forget } = useDraft(`comment:${photo}`, comment);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const close = () => {
    forget();
    onClose();
  };
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    onSave(entered.trim());
    close();
  };
  // Beside the viewer, which hides the rest of the page from screen readers.
  return createPortal(
    <ModalSheet className={styles['sheet'] ?? ''} aria-labelledby={`${id}-title`} onClose={close}>
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
          onChange={({ target }) => write(target.value)}
        />
        <Button look="filled" size="large" type="submit">
          {t`Save`}
        </Button>
        <Button onClick={close}>{t`Cancel`}</Button>
      </form>
    </ModalSheet>,
    document.body,
  );
}
