import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLazyComponent } from '../../../ui/useLazyComponent';
import { useSnackbar } from '../../../ui/useSnackbar';
import type { Gallery } from './gallery';
import type { PhotoGridHandle } from './PhotoGrid';
import type { useOpenPhoto } from './useOpenPhoto';

const importLightbox = () => import('./PhotoLightbox');

/** The lightbox above a grid, whose open photo the address has; the grid shows that photo when it is closed. */
export function useGridLightbox({
  address: { openId, close },
  gallery,
  leaving,
  grid,
  loadMore,
}: {
  address: ReturnType<typeof useOpenPhoto>;
  /** Where the photo is looked for; undefined until it is loaded. */
  gallery: Gallery | undefined;
  /** Photos that are being deleted: they are not looked for. */
  leaving: readonly string[];
  grid: RefObject<PhotoGridHandle | null>;
  loadMore: () => Promise<boolean>;
}) {
  const show = useSnackbar();
  const lightbox = useLazyComponent(importLightbox);
  const openLightbox = useEffectEvent(() => {
    lightbox.load().catch(() => {
      close();
      show({ tone: 'error', text: t`The photo could not be opened. Please check your connection.` });
    });
  });
  const isOpen = openId !== null;
  useEffect(() => {
    if (isOpen) openLightbox();
  }, [isOpen]);

  // The photo of an address that was opened anew may be further down than what is loaded, or gone.
  const missing =
    isOpen &&
    gallery !== undefined &&
    !leaving.includes(openId) &&
    !gallery.photos.some(({ id }) => id === openId);
  const exhausted = gallery?.nextCursor === null;
  const findOpenPhoto = useEffectEvent(() => {
    if (exhausted) close();
    else void loadMore();
  });
  useEffect(() => {
    if (missing) findOpenPhoto();
  }, [missing, exhausted, gallery?.photos.length]);

  const lastOpen = useRef<string | null>(null);
  useEffect(() => {
    if (openId === null && lastOpen.current !== null) grid.current?.reveal(lastOpen.current);
    lastOpen.current = openId;
  }, [openId, grid]);

  return lightbox;
}
