import { type ReactNode, useCallback, useState } from 'react';
import { Snackbar } from './Snackbar';
import { SnackbarContext, type SnackbarMessage } from './useSnackbar';

export function SnackbarProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ message: SnackbarMessage | null; messageId: number }>({
    message: null,
    messageId: 0,
  });
  const show = useCallback(
    (message: SnackbarMessage | null) =>
      setCurrent(({ messageId }) => ({ message, messageId: messageId + 1 })),
    [],
  );
  const close = useCallback(() => show(null), [show]);
  return (
    <SnackbarContext value={show}>
      {children}
      <Snackbar message={current.message} messageId={current.messageId} onClose={close} />
    </SnackbarContext>
  );
}
