import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { formatDayOf } from '../../platform/shortDates';
import { Button } from '../Button';
import { useMenuEntry } from '../menuEntries';
import text from '../text.module.css';
import { type KnownSelfie, RemovalSheet } from './RemovalSheet';
import styles from './removal.module.css';

/** The way to be removed from an event's photos: a quiet button, and the sheet that it opens. */
export default function RemoveMe({
  slug,
  until,
  selfie = null,
  onRemoved,
}: {
  slug: string;
  /** When the photos go, RFC 3339; null where they are kept. */
  until: string | null | undefined;
  /** With which the guest has searched, so that none is asked for again; null without one. */
  selfie?: KnownSelfie | null;
  /** The guest has closed the sheet after what they asked for was done. */
  onRemoved?: () => void;
}) {
  const [open, setOpen] = useState(false);
  useMenuEntry(t`Remove me from the photos`, () => setOpen(true));
  const close = (removed: boolean) => {
    setOpen(false);
    if (removed) onRemoved?.();
  };
  return (
    <div className={styles['entry']}>
      {until != null && (
        <p className={text['caption']}>{t`The photos stay here until ${{ day: formatDayOf(until) }}.`}</p>
      )}
      <Button onClick={() => setOpen(true)}>{t`Remove me from the photos`}</Button>
      {open && <RemovalSheet slug={slug} selfie={selfie} onClose={close} />}
    </div>
  );
}
