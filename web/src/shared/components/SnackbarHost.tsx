import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { SnackbarContext, type SnackbarMessage } from './snackbar';

// Fetched with the first message: the first load of a page has none to show.
const SnackbarBar = lazy(() => import('./SnackbarBar'));

export function SnackbarHost({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ message: SnackbarMessage; turn: number }>();
  const [open, setOpen] = useState(false);

  const show = useCallback((message: SnackbarMessage) => {
    setCurrent((previous) => ({ message, turn: (previous?.turn ?? 0) + 1 }));
    setOpen(true);
  }, []);

  return (
    <SnackbarContext value={show}>
      {children}
      {current !== undefined && (
        <Suspense>
          <SnackbarBar
            key={current.turn}
            message={current.message}
            open={open}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </SnackbarContext>
  );
}
