import { useEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '../../../platform/api/types';
import { type Gallery, unloadedIds } from './gallery';
import type { PhotoList } from './photos';
import {
  deselectPhotos,
  dragSelection,
  extendSelection,
  noSelection,
  selectionInSight,
  selectPhotos,
  togglePhoto,
} from './selection';

/** Ids of photos by the list whose they are, in its order. */
type Listed = ReadonlyMap<PhotoList, readonly string[]>;
const nothingListed: Listed = new Map();

/** The selection of the gallery, limited to the photos of the list that is shown, loaded or not. */
export function useSelection({
  photos,
  shown,
  list,
  gallery,
  now,
  loadIds,
}: {
  /** All that are loaded, also of other lists. */
  photos: readonly Photo[];
  shown: readonly Photo[];
  list: PhotoList;
  gallery: Gallery | undefined;
  /** The same at the moment of the call. */
  now: () => Gallery | undefined;
  loadIds: (signal: AbortSignal, onCount: (count: number) => void) => Promise<readonly string[] | null>;
}) {
  const [selection, setSelection] = useState(noSelection);
  const [mode, setMode] = useState(false);
  const [selectingAll, setSelectingAll] = useState(false);
  /** How many ids there are while all photos are being selected. */
  const [count, setCount] = useState(0);
  /** The ids of the lists of which all photos were selected. */
  const [listed, setListed] = useState(nothingListed);
  const all = useRef<AbortController | null>(null);
  const beforeDrag = useRef(noSelection);
  // With another list, all of it would be other photos.
  useEffect(
    () => () => {
      all.current?.abort();
      setSelectingAll(false);
    },
    [loadIds],
  );
  const following = useMemo(
    () => (gallery === undefined ? [] : unloadedIds(gallery, listed.get(list) ?? [])),
    [gallery, listed, list],
  );
  const elsewhere = useMemo(
    () => [...listed].flatMap(([other, ids]) => (other === list ? [] : ids)),
    [listed, list],
  );
  const { ids, hidden } = useMemo(
    () => selectionInSight(selection, photos, shown, following, elsewhere),
    [selection, photos, shown, following, elsewhere],
  );

  const selectAll = async () => {
    all.current?.abort();
    const controller = new AbortController();
    all.current = controller;
    setSelectingAll(true);
    setCount(0);
    const ids = await loadIds(controller.signal, setCount);
    if (controller.signal.aborted) return;
    setSelectingAll(false);
    const loaded = now();
    if (ids === null || loaded === undefined) return;
    // What came since the list was loaded is not in sight, and is not selected.
    const admitted = loaded.photos.filter(({ id }) => !loaded.arrivals.has(id)).map(({ id }) => id);
    setListed((before) => new Map(before).set(list, ids));
    setSelection((before) => selectPhotos(before, [...admitted, ...unloadedIds(loaded, ids)]));
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
    /** How many photos are found while all are being selected. */
    found: Math.max(shown.length, count),
    start: () => setMode(true),
    toggle: (id: string) => setSelection((before) => togglePhoto(before, id)),
    /** Selects up to a photo of those of the grid; from another one if nothing was selected before. */
    extend: (id: string, among: readonly Photo[], from?: string) =>
      setSelection((before) => extendSelection(before, id, among, from)),
    /** Begins a drag, and then says what it touches. */
    startDrag: () => {
      beforeDrag.current = selection;
    },
    drag: (touched: readonly string[]) => setSelection(dragSelection(beforeDrag.current, touched)),
    selectAll,
    remove: (gone: readonly string[]) => {
      setSelection((before) => deselectPhotos(before, gone));
      setMode(false);
    },
    stop,
    clear: () => {
      stop();
      setSelection(noSelection);
      setListed(nothingListed);
      setMode(false);
    },
  };
}
