import { createContext, useContext } from 'react';

/** What the bar at the foot of the page says. Its tone is told by colour and by icon. */
export interface SnackbarMessage {
  tone: 'success' | 'error';
  text: string;
}

type ShowSnackbar = (message: SnackbarMessage | null) => void;

export const SnackbarContext = createContext<ShowSnackbar | null>(null);

/** Gives the function that shows a message for 6 s at the foot of the page; null takes away the one that stands there. */
export function useSnackbar(): ShowSnackbar {
  const show = useContext(SnackbarContext);
  if (show === null) throw new Error('useSnackbar needs a SnackbarHost above it');
  return show;
}
