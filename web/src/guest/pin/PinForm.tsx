import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { openAccess } from './access';
import { enterPin } from './enter';
import styles from './PinForm.module.css';

/** The form in which a guest enters the PIN of an event. */
export default function PinForm({
  slug,
  pin,
  titleId,
  onOpen,
}: {
  slug: string;
  /** The PIN of the link, which is entered at once. */
  pin: string | null;
  titleId: string;
  /** The event asks for no PIN any more. */
  onOpen: () => void;
}) {
  const id = useId();
  const [entered, setEntered] = useState(pin ?? '');
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const enter = async (digits: string) => {
    setSending(true);
    setFailure(null);
    try {
      const proof = await enterPin(slug, digits);
      if (proof === null) onOpen();
      openAccess(slug, proof);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setSending(false);
      field.current?.select();
      field.current?.focus();
    }
  };
  const started = useRef(false);
  const enterLinked = useEffectEvent(() => {
    if (pin === null || started.current) return;
    started.current = true;
    void enter(pin);
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
      <p className={text['subtitle']}>
        {t`The photos of this event have a PIN. It is where you found the link, or your hosts know it.`}
      </p>
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
