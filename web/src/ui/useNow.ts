import { useSyncExternalStore } from 'react';

const interval = 30_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function update(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** One timer for all who listen. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(update, interval);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The time in milliseconds, which goes on while a page is looked at. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
