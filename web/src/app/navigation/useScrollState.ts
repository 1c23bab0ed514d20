import { useEffect, useState } from 'react';

const hideAfter = 100;

export interface ScrollState {
  /** The page has left its top. */
  scrolled: boolean;
  /** The last movement went down, past the first 100 px. */
  hidden: boolean;
}

/** Follows the window: scrolling down past 100 px hides, scrolling up shows again. */
export function useScrollState(): ScrollState {
  const [state, setState] = useState<ScrollState>({ scrolled: false, hidden: false });
  useEffect(() => {
    let last = window.scrollY;
    const follow = () => {
      const now = window.scrollY;
      if (now === last) return;
      const next = { scrolled: now > 8, hidden: now > last && now > hideAfter };
      last = now;
      setState((old) => (old.scrolled === next.scrolled && old.hidden === next.hidden ? old : next));
    };
    window.addEventListener('scroll', follow, { passive: true });
    return () => window.removeEventListener('scroll', follow);
  }, []);
  return state;
}
