import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Icon } from '../../ui/Icon';
import { useSnackbar } from '../../ui/useSnackbar';
import { Button } from '../Button';
import { useMenuEntry } from '../menuEntries';
import type { BrowsingView } from './AllPhotos';
import styles from './browsing.module.css';

/** Opens all photos of the event. */
export default function BrowseButton({
  load,
  onShow,
}: {
  /** Loads the view of them. */
  load: () => Promise<BrowsingView>;
  onShow: (view: BrowsingView) => void;
}) {
  const show = useSnackbar();
  const [loading, setLoading] = useState(false);
  const open = async () => {
    if (loading) return;
    setLoading(true);
    try {
      onShow(await load());
    } catch {
      show({ tone: 'error', text: t`The photos could not be loaded. Please check your connection.` });
      setLoading(false);
    }
  };
  useMenuEntry(t`Browse all photos`, () => void open());
  return (
    <div className={styles['entry']}>
      <Button aria-disabled={loading} onClick={() => void open()}>
        <Icon name="grid" size={20} />
        {t`Browse all photos`}
      </Button>
    </div>
  );
}
