import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { Alert } from '../../ui/Alert';
import { slugOfPage } from '../pin/access';
import { Button } from '../Button';
import text from '../text.module.css';
import { subscribe } from './subscriptions';
import { tellingNotice } from './notice';
import { storedAsked } from '../../platform/storage/askedStorage';
import styles from './telling.module.css';

/** The form: an address, and a consent of its own. */
function TellMeForm({
  token,
  focused,
  onSent,
}: {
  token: string;
  /** Whether the guest has asked for the form, and goes on in it. */
  focused: boolean;
  onSent: () => void;
}) {
  const id = useId();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [email, setEmail] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setFailure(null);
    try {
      await subscribe(token, email.trim());
      onSent();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  return (
    <form className={styles['form']} aria-labelledby={`${id}-title`} onSubmit={(event) => void send(event)}>
      <h2 className={styles['title']} id={`${id}-title`}>
        {t`Tell me about new photos`}
      </h2>
      <p className={text['small']}>{t`We write when there are new photos of you, at most once a day.`}</p>
      <label className={styles['label']} htmlFor={`${id}-email`}>
        {t`Your e-mail address`}
      </label>
      <input
        ref={field}
        className={styles['field']}
        id={`${id}-email`}
        type="email"
        name="email"
        autoComplete="email"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <label className={styles['consent']}>
        <input type="checkbox" name="consent" required />
        <span className={text['small']}>{tellingNotice()}</span>
      </label>
      <p className={text['small']}>
        <a className={styles['link']} href="/privacy" target="_blank" rel="noreferrer">
          {t`Privacy`}
        </a>
      </p>
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      <Button look="filled" type="submit" aria-disabled={sending}>
        {sending ? t`One moment.` : t`Send me a link to confirm`}
      </Button>
    </form>
  );
}

/** The offer to be told of new photos by mail: a button, its form, and what comes next. `open`: the form is there at once. */
export default function TellMe({
  token,
  open = false,
  onSent,
}: {
  token: string;
  open?: boolean;
  onSent?: () => void;
}) {
  const [asked] = useState(() => storedAsked(slugOfPage()));
  const [step, setStep] = useState<'offer' | 'form' | 'sent' | 'asked'>(
    asked.read() === true ? 'asked' : open ? 'form' : 'offer',
  );
  const [focused, setFocused] = useState(false);
  const showForm = () => {
    setFocused(true);
    setStep('form');
  };
  const sent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (step === 'sent') sent.current?.focus({ preventScroll: true });
  }, [step]);
  if (step === 'offer') {
    return (
      <Button look="outlined" onClick={showForm}>
        {t`Tell me about new photos`}
      </Button>
    );
  }
  if (step === 'form') {
    const note = () => {
      asked.write(true);
      setStep('sent');
      onSent?.();
    };
    return <TellMeForm token={token} focused={focused} onSent={note} />;
  }
  if (step === 'asked') {
    return (
      <div className={styles['sent']}>
        <p
          className={text['small']}
        >{t`You asked to be told about new photos, once the link in the mail was opened.`}</p>
        <Button onClick={showForm}>{t`Ask again`}</Button>
      </div>
    );
  }
  return (
    <div ref={sent} className={styles['sent']} tabIndex={-1}>
      <Alert tone="success">{t`Check your mail: the link in it confirms your address.`}</Alert>
    </div>
  );
}
