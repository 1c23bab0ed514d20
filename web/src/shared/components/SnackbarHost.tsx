import { type ReactNode, useCallback, useState } from 'react';
import { SnackbarBar } from './SnackbarBar';
import { SnackbarContext, type SnackbarMessage } from './snackbar';

export function SnackbarHost({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ message: SnackbarMessage | null; turn: number }>({
    message: null,
    turn: 0,
  });
  const show = useCallback(
    (message: SnackbarMessage | null) => setCurrent(({ turn }) => ({ message, turn: turn + 1 })),
    [],
  );
  const close = useCallback(() => show(null), [show]);
  return (
    <SnackbarContext value={show}>
      {children}
      <SnackbarBar message={current.message} turn={current.turn} onClose={close} />
    </SnackbarContext>
  );
}
