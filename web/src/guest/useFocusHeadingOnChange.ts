import { useEffect, useRef } from 'react';

/** Moves the focus to the new heading when the view changes, because the focused control is unmounted. */
export function useFocusHeadingOnChange(view: string): void {
  const last = useRef(view);
  useEffect(() => {
    if (last.current === view) return;
    last.current = view;
    document.querySelector<HTMLElement>('[data-view-title]')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [view]);
}
