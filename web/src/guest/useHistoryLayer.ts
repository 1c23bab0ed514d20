import { useEffect, useRef } from 'react';
import { type HistoryLayer, HistoryLayers } from './historyLayers';

let layers: HistoryLayers | null = null;

/** The layers of this document. */
function documentLayers(): HistoryLayers {
  if (layers === null) {
    const created = new HistoryLayers(window.history);
    window.addEventListener('popstate', () => created.handlePopState());
    layers = created;
  }
  return layers;
}

/** While `open`, the browser's Back calls `onBack` instead of leaving the page. */
export function useHistoryLayer(open: boolean, onBack: () => void, onForward?: () => boolean): void {
  const current = useRef<HistoryLayer>({ onBack, onForward });
  useEffect(() => {
    current.current = { onBack, onForward };
  });
  useEffect(() => {
    const all = documentLayers();
    if (!open) return undefined;
    return all.open({
      onBack: () => current.current.onBack(),
      onForward: () => current.current.onForward?.() ?? false,
    });
  }, [open]);
}
