import { useEffect, useRef, useState } from 'react';
import type { Photo } from '../../../platform/api/types';
import type { Gallery } from './gallery';
import {
  deselectPhotos,
  dragSelection,
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
  const beforeDrag = useRef(noSelection);
  // With another list, all of it would be other photos.
  useEffect(
    () => () => {
      all.current?.abort();
      setSelectingAll(false);
    },
    [loadAll],
  );
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
  /** Loads no more photos in order to select all. */
  const stop = () => {
    all.current?.abort();
    setSelectingAll(false);
  };
  return {
    ids,
    hidden,
    /** Pressing a photo selects it. */
    active: mode || ids.length > 0 || selectingAll,
    selectingAll,
    start: () => setMode(true),
    toggle: (id: string) => setSelection((now) => togglePhoto(now, id)),
    /** Selects up to a photo; from another one if nothing was selected before. */
    extend: (id: string, from?: string) => setSelection((now) => extendSelection(now, id, shown, from)),
    /** Begins a drag, and then says what it touches. */
    startDrag: () => {
      beforeDrag.current = selection;
    },
    drag: (touched: readonly string[]) => setSelection(dragSelection(beforeDrag.current, touched)),
    selectAll,
    remove: (gone: readonly string[]) => {
      setSelection((now) => deselectPhotos(now, gone));
      setMode(false);
    },
    stop,
    clear: () => {
      stop();
      setSelection(noSelection);
      setMode(false);
    },
  };
}
