import { useEffect, useState } from 'react';

const hideThreshold = 100;

export interface ScrollState {
  /** The page is not at its top. */
  scrolled: boolean;
  /** The last scroll was downwards, beyond 100 px. */
  hidden: boolean;
}

/** The scroll state of the window: scrolling down beyond 100 px hides, scrolling up shows. */
export function useScrollState(): ScrollState {
  const [state, setState] = useState<ScrollState>({ scrolled: false, hidden: false });
  useEffect(() => {
    let last = window.scrollY;
    const handleScroll = () => {
      const now = window.scrollY;
      if (now === last) return;
      const next = { scrolled: now > 8, hidden: now > last && now > hideThreshold };
      last = now;
      setState((old) => (old.scrolled === next.scrolled && old.hidden === next.hidden ? old : next));
    };
    window.addEventListener('scroll', handleScroll, { passive: true });
    return () => window.removeEventListener('scroll', handleScroll);
  }, []);
  return state;
}
