import { useEffect, useRef, useState } from 'react';
import type { Photo } from '../../shared/api/types';
import type { Gallery } from './gallery';
import {
  deselectPhotos,
  extendSelection,
  noSelection,
  selectionInSight,
  selectPhotos,
  togglePhoto,
} from './selection';

/** The selection of the gallery, limited to the photos shown. */
export function useSelection({
  photos,
  shown,
  loadAll,
}: {
  photos: readonly Photo[];
  shown: readonly Photo[];
  loadAll: (signal: AbortSignal) => Promise<Gallery | null>;
}) {
  const [selection, setSelection] = useState(noSelection);
  const [mode, setMode] = useState(false);
  const [selectingAll, setSelectingAll] = useState(false);
  const all = useRef<AbortController | null>(null);
  useEffect(() => () => all.current?.abort(), []);
  const { ids, hidden } = selectionInSight(selection, photos, shown);

  const selectAll = async () => {
    all.current?.abort();
    const controller = new AbortController();
    all.current = controller;
    setSelectingAll(true);
    const gallery = await loadAll(controller.signal);
    if (controller.signal.aborted) return;
    setSelectingAll(false);
    if (gallery !== null) {
      const admitted = gallery.photos.filter(({ id }) => !gallery.arrivals.has(id));
      setSelection((now) => selectPhotos(now, admitted));
    }
  };
  return {
    ids,
    hidden,
    /** Pressing a photo selects it. */
    active: mode || ids.length > 0 || selectingAll,
    selectingAll,
    start: () => setMode(true),
    toggle: (id: string) => setSelection((now) => togglePhoto(now, id)),
    extend: (id: string) => setSelection((now) => extendSelection(now, id, shown)),
    selectAll,
    remove: (gone: readonly string[]) => {
      setSelection((now) => deselectPhotos(now, gone));
      setMode(false);
    },
    clear: () => {
      all.current?.abort();
      setSelectingAll(false);
      setSelection(noSelection);
      setMode(false);
    },
  };
}
