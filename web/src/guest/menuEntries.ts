import { useEffect, useRef, useSyncExternalStore } from 'react';

/** What a guest can do where they are, for the menu of the page. */
interface MenuEntry {
  label: string;
  run: () => void;
}

let entries: readonly MenuEntry[] = [];
const listeners = new Set<() => void>();

function change(next: readonly MenuEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the views in sight have for the menu, in the order in which they came. */
export const useMenuEntries = (): readonly MenuEntry[] => useSyncExternalStore(subscribe, () => entries);

/** Has an entry in the menu while the component is there; null for none. */
export function useMenuEntry(label: string | null, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (label === null) return undefined;
    const entry = { label, run: () => latest.current() };
    change([...entries, entry]);
    return () => change(entries.filter((each) => each !== entry));
  }, [label]);
}
