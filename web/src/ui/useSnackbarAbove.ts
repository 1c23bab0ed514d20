import { type RefObject, useEffect } from 'react';

/** Between what is fixed at the bottom of the page and the snackbar, in px. */
const gap = 8;

/** Keeps the snackbar above an element that is fixed at the bottom of the page, however high that is. */
export function useSnackbarAbove(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const { style } = document.documentElement;
    const update = () => {
      const offset = window.innerHeight - current.getBoundingClientRect().top + gap;
      style.setProperty('--snackbar-offset', `${offset}px`);
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(current);
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', update);
      style.removeProperty('--snackbar-offset');
    };
  }, [element]);
}
