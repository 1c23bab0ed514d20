import { createContext, useContext } from 'react';

/** A message of the snackbar. Its tone is shown by colour and icon. */
export interface SnackbarMessage {
  tone: 'success' | 'error';
  text: string;
  /** Hides the message. */
  action?: { label: string; run: () => void };
  /** Called once the message is hidden or replaced. */
  onClose?: () => void;
}

type ShowSnackbar = (message: SnackbarMessage | null) => void;

export const SnackbarContext = createContext<ShowSnackbar | null>(null);

/** Returns the function that shows a snackbar for 6 s, or hides the current one when called with null. */
export function useSnackbar(): ShowSnackbar {
  const show = useContext(SnackbarContext);
  if (show === null) throw new Error('useSnackbar must be used within a SnackbarProvider');
  return show;
}
