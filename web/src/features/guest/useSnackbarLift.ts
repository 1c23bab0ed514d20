import { useEffect } from 'react';

/** Keeps the snackbar off what stands at the foot of the page, `pixels` high. */
export function useSnackbarLift(pixels: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--snackbar-lift', `${pixels}px`);
    return () => void style.removeProperty('--snackbar-lift');
  }, [pixels]);
}
