import { useState } from 'react';
import { useHistoryLayer } from '../useHistoryLayer';

/** The photos that are chosen one by one; Back ends the choice. */
export function useChoice() {
  // Null while none can be chosen.
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  useHistoryLayer(ids !== null, () => setIds(null));
  return {
    ids,
    /** Chooses a photo, or leaves it out. */
    toggle: (id: string) =>
      setIds((chosen) => {
        const next = new Set(chosen);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    /** Begins or ends the choice. */
    change: () => setIds(ids === null ? new Set() : null),
  };
}
