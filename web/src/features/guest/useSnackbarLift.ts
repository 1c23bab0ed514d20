import { useEffect } from 'react';

/** Keeps the snackbar above what stands at the foot of the page: that high, in px, on a phone and from 900 px. */
export function useSnackbarLift(phone: number, wide: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--snackbar-lift', `${phone}px`);
    style.setProperty('--snackbar-lift-wide', `${wide}px`);
    return () => {
      style.removeProperty('--snackbar-lift');
      style.removeProperty('--snackbar-lift-wide');
    };
  }, [phone, wide]);
}
