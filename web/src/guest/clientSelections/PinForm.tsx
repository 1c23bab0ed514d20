import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import form from '../pin/PinForm.module.css';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { enterClientPin } from './calls';

/** The form in which a client enters the PIN of a selection. */
export function PinForm({ secret, onOpen }: { secret: string; onOpen: () => void }) {
  const id = useId();
  const [entered, setEntered] = useState('');
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setFailure(null);
    try {
      await enterClientPin(secret, entered);
      onOpen();
    } catch (error) {
      setFailure(errorMessage(error, String(error)));
      setSending(false);
      field.current?.select();
      field.current?.focus();
    }
  };
  return (
    <form className={form['form']} aria-labelledby={`${id}-title`} onSubmit={(event) => void submit(event)}>
      <ViewTitle id={`${id}-title`} large>
        {t`Enter the PIN`}
      </ViewTitle>
      <p className={text['subtitle']}>{t`Your photographer has given it to you with the link.`}</p>
      <label className={form['label']} htmlFor={`${id}-pin`}>
        {t`PIN`}
      </label>
      <input
        ref={field}
        className={form['field']}
        id={`${id}-pin`}
        name="pin"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required
        maxLength={20}
        dir="ltr"
        aria-invalid={failure !== null}
        aria-describedby={failure === null ? undefined : `${id}-failure`}
        value={entered}
        onChange={({ target }) => setEntered(target.value)}
      />
      {failure !== null && (
        <div id={`${id}-failure`}>
          <Alert tone="error">{failure}</Alert>
        </div>
      )}
      <Button look="filled" size="large" type="submit" aria-disabled={sending}>
        <Icon name="lock" size={24} />
        {sending ? t`One moment.` : t`Continue`}
      </Button>
    </form>
  );
}
