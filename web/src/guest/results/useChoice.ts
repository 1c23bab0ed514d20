import { useState } from 'react';
import { useHistoryLayer } from '../useHistoryLayer';

export interface Choice {
  /** The photos that are chosen to be saved together; null while none can be chosen. */
  ids: ReadonlySet<string> | null;
  /** Chooses a photo, or leaves it out. */
  toggle: (id: string) => void;
  /** Begins or ends the choice. */
  change: () => void;
}

/** The photos that are chosen one by one; Back ends the choice. */
export function useChoice(onBegin: () => void): Choice {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  useHistoryLayer(ids !== null, () => setIds(null));
  return {
    ids,
    toggle: (id: string) =>
      setIds((chosen) => {
        const next = new Set(chosen);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    change: () => {
      if (ids === null) onBegin();
      setIds(ids === null ? new Set() : null);
    },
  };
}
