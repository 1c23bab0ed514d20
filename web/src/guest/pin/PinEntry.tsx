import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import styles from './PinEntry.module.css';

/** The form in which somebody enters a PIN. */
export function PinEntry({
  titleId,
  hint,
  linked = null,
  onEnter,
}: {
  titleId: string;
  /** Where they have it from. */
  hint: string;
  /** The PIN of the link, which is entered at once. */
  linked?: string | null;
  /** Fails, with the reason, where the PIN is wrong. */
  onEnter: (digits: string) => Promise<void>;
}) {
  const id = useId();
  const [entered, setEntered] = useState(linked ?? '');
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const enter = async (digits: string) => {
    setSending(true);
    setFailure(null);
    try {
      await onEnter(digits);
    } catch (error) {
      setFailure(errorMessage(error, String(error)));
      setSending(false);
      field.current?.select();
      field.current?.focus();
    }
  };
  const started = useRef(false);
  const enterLinked = useEffectEvent(() => {
    if (linked === null || started.current) return;
    started.current = true;
    void enter(linked);
  });
  useEffect(() => enterLinked(), []);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!sending) void enter(entered);
  };
  return (
    <form className={styles['form']} aria-labelledby={titleId} onSubmit={submit}>
      <ViewTitle id={titleId} large>
        {t`Enter the PIN`}
      </ViewTitle>
      <p className={text['subtitle']}>{hint}</p>
      <label className={styles['label']} htmlFor={`${id}-pin`}>
        {t`PIN`}
      </label>
      <input
        ref={field}
        className={styles['field']}
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
