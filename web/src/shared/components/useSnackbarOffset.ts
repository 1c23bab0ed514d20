import { useEffect } from 'react';

/** Moves the snackbar above fixed content at the bottom of the page: the offsets in px on phones and from 900 px. */
export function useSnackbarOffset(phone: number, wide: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--snackbar-offset', `${phone}px`);
    style.setProperty('--snackbar-offset-wide', `${wide}px`);
    return () => {
      style.removeProperty('--snackbar-offset');
      style.removeProperty('--snackbar-offset-wide');
    };
  }, [phone, wide]);
}
