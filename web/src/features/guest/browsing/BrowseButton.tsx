import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Icon } from '../../../shared/components/Icon';
import { useSnackbar } from '../../../shared/components/useSnackbar';
import { Button } from '../Button';
import { addResultsMessages } from '../resultsMessages';
import type { AllPhotos } from './AllPhotos';
import styles from './browsing.module.css';

const importView = async () => {
  const [imported] = await Promise.all([import('./AllPhotos'), addResultsMessages()]);
  return imported;
};

/** Opens all photos of the event. */
export default function BrowseButton({ onShow }: { onShow: (view: typeof AllPhotos) => void }) {
  const show = useSnackbar();
  const [loading, setLoading] = useState(false);
  const open = async () => {
    if (loading) return;
    setLoading(true);
    try {
      const { AllPhotos: View } = await importView();
      onShow(View);
    } catch {
      show({ tone: 'error', text: t`The photos could not be loaded. Please check your connection.` });
      setLoading(false);
    }
  };
  return (
    <div className={styles['entry']}>
      <Button aria-disabled={loading} onClick={() => void open()}>
        <Icon name="grid" size={20} />
        {t`Browse all photos`}
      </Button>
    </div>
  );
}
