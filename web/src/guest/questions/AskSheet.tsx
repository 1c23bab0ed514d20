import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { withTimeout } from '../../platform/api/withTimeout';
import { Alert } from '../../ui/Alert';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import { request } from '../request';
import text from '../text.module.css';
import styles from './asking.module.css';

/** Milliseconds. */
const timeout = 30_000;
const maxLength = 1000;

/** Throws an `ApiError`. */
const ask = (slug: string, key: string, email: string, message: string): Promise<void> =>
  request(
    `/api/face/questions/${slug}`,
    { body: { key, email, message }, signal: withTimeout(new AbortController().signal, timeout) },
    t`This did not work. Please check your connection and try again.`,
  );

function Sent({ email, onClose }: { email: string; onClose: () => void }) {
  const done = useRef<HTMLDivElement>(null);
  useEffect(() => done.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div ref={done} className={styles['sent']} tabIndex={-1}>
        <Alert tone="success">{t`Your message is on its way. The photographer answers to ${email}.`}</Alert>
      </div>
      <Button look="filled" size="large" onClick={onClose}>{t`Done`}</Button>
    </>
  );
}

/** A message to the photographer about one photo, and where the answer goes. */
export default function AskSheet({
  slug,
  photoKey,
  picture,
  onClose,
}: {
  slug: string;
  /** The `s3_key` of the photo. */
  photoKey: string;
  /** A link to a small picture of it; null without one. */
  picture: string | null;
  onClose: () => void;
}) {
  const id = useId();
  const [message, setMessage] = useState('');
  const [email, setEmail] = useState('');
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setFailure(null);
    try {
      await ask(slug, photoKey, email.trim(), message.trim());
      setSent(true);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  };
  // Beside the viewer, which hides the rest of the page from screen readers.
  return createPortal(
    <ModalSheet className={styles['sheet'] ?? ''} aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 className={styles['title']} id={`${id}-title`}>
        {t`Ask the photographer`}
      </h2>
      {sent ? (
        <Sent email={email.trim()} onClose={onClose} />
      ) : (
        <form
          className={styles['form']}
          aria-labelledby={`${id}-title`}
          onSubmit={(event) => void send(event)}
        >
          <div className={styles['about']}>
            {picture !== null && <img className={styles['picture']} src={picture} alt="" />}
            <p className={text['small']}>
              {t`About this photo: a brighter version, a print, another size. The photographer gets a mail with a link to the photo; the message is not kept here.`}
            </p>
          </div>
          <label className={styles['label']} htmlFor={`${id}-message`}>
            {t`Your message`}
          </label>
          <textarea
            ref={field}
            className={styles['field']}
            id={`${id}-message`}
            name="message"
            rows={4}
            required
            maxLength={maxLength}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
          <label className={styles['label']} htmlFor={`${id}-email`}>
            {t`Your e-mail address, for the answer`}
          </label>
          <input
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
          {failure !== null && <Alert tone="error">{failure}</Alert>}
          <Button look="filled" size="large" type="submit" aria-disabled={sending}>
            {sending ? t`One moment.` : t`Send`}
          </Button>
          <Button onClick={onClose}>{t`Cancel`}</Button>
        </form>
      )}
    </ModalSheet>,
    document.body,
  );
}
