import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Icon } from '../../ui/Icon';
import { storedAsked } from '../../platform/storage/askedStorage';
import text from '../text.module.css';
import TellMe from './TellMe';
import styles from './telling.module.css';

/** Adds the day after the event to the guest's calendar: the server answers what its program takes. */
function CalendarLink({ slug }: { slug: string }) {
  const query = new URLSearchParams({ language: document.documentElement.lang });
  return (
    <a className={styles['calendar']} href={`/event/${encodeURIComponent(slug)}/calendar.ics?${query}`}>
      <Icon name="calendar" size={16} />
      {t`Add to calendar`}
    </a>
  );
}

/** What guests of an event without photos are told: they leave a selfie and an address, or come back after it. */
export default function Early({
  slug,
  tells,
  token = null,
}: {
  slug: string;
  /** Whether guests can be written to. */
  tells: boolean;
  /** Of the search with the guest's selfie, which can be made a subscription. */
  token?: string | null;
}) {
  const [asked, setAsked] = useState(() => storedAsked(slug).read() === true);
  if (token !== null)
    return (
      <div className={styles['early']}>
        {!asked && (
          <p className={text['subtitle']}>
            {t`The photos are not here yet. Where shall we write when you are in them?`}
          </p>
        )}
        <TellMe token={token} open onSent={() => setAsked(true)} />
      </div>
    );
  if (tells)
    return (
      <p className={text['subtitle']}>
        {asked
          ? t`You asked to be told about new photos, once the link in the mail was opened.`
          : t`The photos are not here yet. Leave a selfie now, and we write to you when you are in them.`}
      </p>
    );
  return (
    <>
      <p className={text['subtitle']}>{t`The photos are not here yet. Come back after the event.`}</p>
      <CalendarLink slug={slug} />
    </>
  );
}
