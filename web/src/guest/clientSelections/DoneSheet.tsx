import { plural, t } from '@lingui/core/macro';
import { type SyntheticEvent, useId, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import text from '../text.module.css';
import { finishSelection } from './calls';
import { useDraft } from './drafts';
import styles from './selection.module.css';

const maxLength = 1000;

/** Says what 'Done' does, before it is done. */
export function DoneSheet({
  secret,
  chosen,
  saving,
  onDone,
  onClose,
}: {
  secret: string;
  chosen: number;
  /** Something is still to be saved. */
  saving: boolean;
  onDone: () => void;
  onClose: () => void;
}) {
  const id = useId();
  const { text: message, write, forget } = useDraft(`message:${secret}`, '');
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const close = () => {
    forget();
    onClose();
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (sending || saving) return;
    setSending(true);
    setFailure(null);
    try {
      await finishSelection(secret, message.trim());
      forget();
      onDone();
    } catch (error) {
      setFailure(errorMessage(error, String(error)));
      setSending(false);
    }
  };
  return (
    <ModalSheet className={styles['sheet'] ?? ''} aria-labelledby={`${id}-title`} onClose={close}>
      <h2 className={styles['sheetTitle']} id={`${id}-title`}>
        {t`Are you done?`}
      </h2>
      <p className={text['subtitle']}>
        {plural(chosen, {
          one: 'Your photographer is told that you have chosen # photo. You cannot change it afterwards, unless they reopen it for you.',
          other:
            'Your photographer is told that you have chosen # photos. You cannot change them afterwards, unless they reopen it for you.',
        })}
      </p>
      <form
        className={styles['form']}
        aria-labelledby={`${id}-title`}
        onSubmit={(event) => void submit(event)}
      >
        <label className={styles['label']} htmlFor={`${id}-message`}>
          {t`A message to your photographer, if you like`}
        </label>
        <textarea
          className={styles['field']}
          id={`${id}-message`}
          rows={3}
          maxLength={maxLength}
          value={message}
          onChange={({ target }) => write(target.value)}
        />
        {failure !== null && <Alert tone="error">{failure}</Alert>}
        <Button look="filled" size="large" type="submit" aria-disabled={sending || saving}>
          {sending || saving ? t`One moment.` : t({ context: 'verb', message: 'Done' })}
        </Button>
        <Button onClick={close}>{t`Keep choosing`}</Button>
      </form>
    </ModalSheet>
  );
}
