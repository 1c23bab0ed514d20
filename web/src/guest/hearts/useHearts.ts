import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSnackbar } from '../../ui/useSnackbar';
import { storedHearts } from '../../platform/storage/heartStorage';
import { useStored } from '../../platform/storage/useStored';
import type { Match } from '../search/matches';
import { countHearts, toggleHeart } from './hearts';

/** The ids of the photos that have a heart on this device, and what puts one on a photo or takes it back. */
export function useHearts(slug: string) {
  const show = useSnackbar();
  const [stored] = useState(() => storedHearts(slug));
  const hearts = useStored(stored);
  const ids = useMemo(
    () => new Set((hearts ?? []).filter(({ on }) => on).map(({ photo }) => photo)) as ReadonlySet<string>,
    [hearts],
  );
  useEffect(() => {
    const count = () => void countHearts(slug);
    count();
    window.addEventListener('online', count);
    return () => window.removeEventListener('online', count);
  }, [slug]);
  const toggle = useCallback(
    ({ photo_id, s3_key }: Match) => {
      if (photo_id === null || s3_key === null) return;
      if (toggleHeart(slug, photo_id, s3_key)) void countHearts(slug);
      else
        show({ tone: 'error', text: t`This browser keeps nothing, so that it keeps no favourites either.` });
    },
    [slug, show],
  );
  return { ids, toggle };
}
