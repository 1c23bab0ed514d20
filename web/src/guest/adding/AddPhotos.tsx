import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import { useMenuEntry } from '../menuEntries';
import type { Access } from '../pin/access';
import { AddSheet } from './AddSheet';
import { guestOf } from './ownPhotos';
import { useSending } from './useSending';
import styles from './adding.module.css';

/** The way to add one's own photos to an event: a button, and the sheet that it opens. */
export default function AddPhotos({
  slug,
  access,
}: {
  slug: string;
  /** Not imported: that would be a file more in the page's first load. */
  access: Access;
}) {
  const device = useMemo(() => guestOf(slug, access), [slug, access]);
  const [open, setOpen] = useState(false);
  const queue = useSending(device);
  useMenuEntry(t`Add your photos`, () => setOpen(true));
  return (
    <div className={styles['entry']}>
      <Button onClick={() => setOpen(true)}>
        <Icon name="upload" size={20} />
        {t`Add your photos`}
      </Button>
      {open && <AddSheet guest={device} queue={queue} onClose={() => setOpen(false)} />}
    </div>
  );
}
