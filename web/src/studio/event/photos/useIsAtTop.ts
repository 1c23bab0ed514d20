import { useSyncExternalStore } from 'react';

/** Pixels scrolled that still count as the top. */
const tolerance = 40;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

const isAtTop = () => window.scrollY <= tolerance;

/** Whether the page is scrolled to its top. */
export const useIsAtTop = (): boolean => useSyncExternalStore(subscribe, isAtTop);
