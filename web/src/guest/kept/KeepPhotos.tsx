import { t } from '@lingui/core/macro';
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { Alert } from '../../ui/Alert';
import { isTouchDevice } from '../../ui/isTouchDevice';
import { useStored } from '../../platform/storage/useStored';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import { combineTokens, withRenewal, type ZipPorts } from '../downloads/zips';
import { matchId, type SearchResult } from '../search/matches';
import type { CompletedSearch, SearchQuery } from '../search/search';
import text from '../text.module.css';
import { fetchKey, mailLink } from './keptSearches';
import styles from './keeping.module.css';
import { KEEPING_NOTICE_VERSION, keepingNotice } from './notice';
import { storedKeptSearch } from '../../platform/storage/keptSearchStorage';

/** Photos that a device remembers to have shown. */
const mostSeen = 2000;

/** By event, the key of a search that was kept in this document, and whose that is. */
const keptHere = new Map<string, { key: string; person: object }>();

/** Stays the same with another selfie of the same person, and with other settings. Results without a selfie have none to add. */
const personOf = ({ selfies }: SearchQuery): object => selfies[0] ?? selfies;

/** Runs what a form is for; its failure is said. */
function useSending(send: () => Promise<void>) {
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setFailure(null);
    try {
      await send();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  };
  return { sending, failure, submit: (event: SyntheticEvent) => void submit(event) };
}

/** A text that takes the place of what the guest has pressed, so that screen readers go on there. */
function Done({ children }: { children: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={place} tabIndex={-1} className={styles['done']}>
      <Alert tone="success">{children}</Alert>
    </div>
  );
}

function KeepForm({ onKeep }: { onKeep: () => Promise<void> }) {
  const { sending, failure, submit } = useSending(onKeep);
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p className={text['small']}>
        {t`The next time you open this event here, your photos are there at once, new ones first. Anyone else who uses this browser sees them too.`}
      </p>
      <label className={styles['consent']}>
        <input type="checkbox" name="consent" required />
        <span className={text['small']}>
          {keepingNotice()}{' '}
          <a className={styles['link']} href="/privacy" target="_blank" rel="noreferrer">
            {t`Privacy`}
          </a>
        </span>
      </label>
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      <Button look="filled" type="submit" aria-disabled={sending}>
        {sending ? t`One moment.` : t`Keep my photos here`}
      </Button>
    </form>
  );
}

/** Mails the link to these results. Throws an `ApiError`. */
async function mailResults(
  { downloadTokens, matches }: SearchResult,
  renew: ZipPorts['renewTokens'],
  email: string,
): Promise<void> {
  const { signal } = new AbortController();
  const mail = async (tokens: readonly string[], ids: readonly string[]) => {
    const [first, ...others] = tokens;
    // Several cover the photos only together.
    const alone = first !== undefined && others.length === 0;
    await mailLink(alone ? first : await combineTokens(tokens, ids, signal), email);
  };
  const ids = matches.flatMap(({ photo_id }) => photo_id ?? []);
  await withRenewal(downloadTokens, ids, () => renew(signal), mail);
}

function MailForm({ shown, renew }: { shown: SearchResult; renew: ZipPorts['renewTokens'] }) {
  const id = useId();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { sending, failure, submit } = useSending(async () => {
    await mailResults(shown, renew, email.trim());
    setSentTo(email.trim());
  });
  if (sentTo !== null) return <Done>{t`The link is on its way to ${sentTo}.`}</Done>;
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p className={text['small']}>
        {t`A link to these photos by mail. It opens them on any device for 30 days. The address is not stored.`}
      </p>
      <label className={styles['label']} htmlFor={id}>
        {t`Your e-mail address`}
      </label>
      <input
        className={styles['field']}
        id={id}
        type="email"
        name="email"
        autoComplete="email"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      <Button look="outlined" type="submit" aria-disabled={sending}>
        {sending ? t`One moment.` : t`Send me my link`}
      </Button>
    </form>
  );
}

/** The ways to come back to one's photos: by what this device keeps, or by a mailed link. */
export default function KeepPhotos({
  slug,
  searchToken,
  shown,
  search,
  mails,
  renewDownloadTokens,
}: {
  slug: string;
  /** Of the search; null if it cannot be kept. */
  searchToken: string | null;
  /** What is on the screen, and mailed. */
  shown: SearchResult;
  /** The guest's own search, whichever of its photos are on the screen. */
  search: CompletedSearch;
  /** Whether the service sends mails to guests. */
  mails: boolean;
  renewDownloadTokens: ZipPorts['renewTokens'];
}) {
  const id = useId();
  const [stored] = useState(() => storedKeptSearch(slug));
  const kept = useStored(stored) !== null;
  const [open, setOpen] = useState(false);
  const [forgotten, setForgotten] = useState(false);
  const mailable = mails && shown.downloadTokens.length > 0;
  const { matches } = search.result;
  const { strictness, rejected } = search.query;
  const person = personOf(search.query);
  const isKept = search.query.kept !== null;
  // What was shown and adjusted here is so the next time. Others may search on the same phone.
  useEffect(() => {
    const device = stored.read();
    if (device === null) return;
    const here = keptHere.get(slug);
    if (!isKept && (here?.key !== device.key || here.person !== person)) return;
    const seen = matches.slice(0, mostSeen).map(matchId);
    stored.write({ ...device, seen, strictness, rejected });
  }, [stored, slug, kept, isKept, person, matches, strictness, rejected]);
  if (searchToken === null && !mailable && !kept && !open) return null;
  const keep = async () => {
    if (searchToken === null) return;
    const key = await fetchKey(slug, searchToken);
    keptHere.set(slug, { key, person });
    if (!stored.write({ key, seen: [], notice: KEEPING_NOTICE_VERSION }))
      throw new Error(t`This browser does not store anything. It may be in a private window.`);
    setForgotten(false);
  };
  const here = isTouchDevice() ? t`Keep my photos on this phone` : t`Keep my photos on this device`;
  const label = searchToken === null && !kept ? t`Send me my link` : here;
  return (
    <>
      <Button look="outlined" onClick={() => setOpen(true)}>
        {kept ? t`Your photos are kept here` : label}
      </Button>
      {open && (
        <ModalSheet
          className={styles['sheet'] ?? ''}
          aria-labelledby={`${id}-title`}
          onClose={() => setOpen(false)}
        >
          <h2 className={styles['title']} id={`${id}-title`}>
            {label}
          </h2>
          {kept && <Done>{t`Your photos are kept here: open this event again, and they are there.`}</Done>}
          {kept && (
            <Button
              look="outlined"
              onClick={() => {
                stored.remove();
                setForgotten(true);
              }}
            >
              {t`Forget me here`}
            </Button>
          )}
          {!kept && forgotten && <Done>{t`Nothing of you is kept here any more.`}</Done>}
          {!kept && searchToken !== null && <KeepForm onKeep={keep} />}
          {mailable && <MailForm shown={shown} renew={renewDownloadTokens} />}
          <Button onClick={() => setOpen(false)}>{t`Close`}</Button>
        </ModalSheet>
      )}
    </>
  );
}
