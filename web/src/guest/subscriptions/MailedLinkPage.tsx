import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Alert } from '../../ui/Alert';
import { useBarTone } from '../../ui/barTone';
import { useDocumentTitle } from '../../ui/useDocumentTitle';
import { Button } from '../Button';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { followMailedLink } from './subscriptions';
import type { MailedLink } from '../linkedPage';
import styles from './telling.module.css';

/** The words for each link: before, on the button, and after. */
function wordsOf({ action }: MailedLink) {
  if (action === 'confirm') {
    return {
      title: t`Tell me about new photos`,
      question: t`Shall we write to you when there are new photos of you?`,
      button: t`Yes, tell me`,
      done: t`Your address is confirmed. You will hear from us.`,
    };
  }
  const end = t`You will get no more mails about this event, and the stored description of your face is deleted.`;
  return { title: t`Stop these mails`, question: end, button: t`Stop these mails`, done: end };
}

/** The page of a mailed link. It asks first: programs that look at mails follow links, but press no buttons. */
export default function MailedLinkPage({ slug, link }: { slug: string; link: MailedLink }) {
  const { title, question, button, done } = wordsOf(link);
  const [step, setStep] = useState<'question' | 'sending' | 'done'>('question');
  const [failure, setFailure] = useState<string | null>(null);
  useDocumentTitle(title);
  useBarTone('quiet');
  useEffect(() => {
    if (step === 'done') document.querySelector<HTMLElement>('[data-view-title]')?.focus();
  }, [step]);
  const follow = async () => {
    if (step === 'sending') return;
    setStep('sending');
    setFailure(null);
    try {
      await followMailedLink(link);
      setStep('done');
      // The address may be shared, and a reload opens the event.
      window.history.replaceState(window.history.state, '', window.location.pathname);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setStep('question');
    }
  };
  return (
    <main id="main" className={styles['page']}>
      <ViewTitle component="h1">{title}</ViewTitle>
      {step === 'done' ? (
        <>
          <Alert tone="success">{done}</Alert>
          <a className={styles['link']} href={`/event/${encodeURIComponent(slug)}`}>
            {t`Go to the event`}
          </a>
        </>
      ) : (
        <>
          <p className={text['subtitle']}>{question}</p>
          {failure !== null && <Alert tone="error">{failure}</Alert>}
          <Button look="filled" size="large" aria-disabled={step === 'sending'} onClick={() => void follow()}>
            {step === 'sending' ? t`One moment.` : button}
          </Button>
        </>
      )}
    </main>
  );
}
