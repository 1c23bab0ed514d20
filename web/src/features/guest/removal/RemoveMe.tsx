import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../Button';
import { RemovalSheet } from './RemovalSheet';
import styles from './removal.module.css';

/** The way to be removed from an event's photos: a quiet button, and the sheet that it opens. */
export default function RemoveMe({
  slug,
  onRemoved,
}: {
  slug: string;
  /** The guest has closed the sheet after what they asked for was done. */
  onRemoved?: () => void;
}) {
  const [open, setOpen] = useState(false);
  const close = (removed: boolean) => {
    setOpen(false);
    if (removed) onRemoved?.();
  };
  return (
    <div className={styles['entry']}>
      <Button onClick={() => setOpen(true)}>{t`Remove me from the photos`}</Button>
      {open && <RemovalSheet slug={slug} onClose={close} />}
    </div>
  );
}
