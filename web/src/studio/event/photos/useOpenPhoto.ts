import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

const photoParameter = 'photo';
/** Milliseconds: browsers refuse many changes of the address in a short time. */
const addressDelay = 300;

/** The state of a history entry that was added by opening a photo, so that going back closes it. */
const openedHere = { openedHere: true };

/** The photo that is open, whose id is in the address: the back button closes it, and a reload keeps it open. */
export function useOpenPhoto() {
  const [parameters, setParameters] = useSearchParams();
  const { state } = useLocation() as { state: Partial<typeof openedHere> | null };
  const navigate = useNavigate();
  const addressed = parameters.get(photoParameter);
  const [viewed, setViewed] = useState<string | null>(null);
  if (addressed === null && viewed !== null) setViewed(null);

  const putIntoAddress = useCallback(
    (id: string | null, options: { replace?: boolean; state?: unknown }) =>
      setParameters(
        (now) => {
          if (id === null) now.delete(photoParameter);
          else now.set(photoParameter, id);
          return now;
        },
        { preventScrollReset: true, ...options },
      ),
    [setParameters],
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (viewed === null || viewed === addressed) return undefined;
    timer.current = setTimeout(() => putIntoAddress(viewed, { replace: true, state }), addressDelay);
    return () => clearTimeout(timer.current);
  }, [viewed, addressed, state, putIntoAddress]);

  return {
    openId: addressed === null ? null : (viewed ?? addressed),
    open: (id: string) => putIntoAddress(id, { state: openedHere }),
    /** Shows another photo instead. */
    view: setViewed,
    close: () => {
      // Going back takes a moment, in which the delayed change would open the photo again.
      clearTimeout(timer.current);
      if (state?.openedHere === true) void navigate(-1);
      else putIntoAddress(null, { replace: true });
    },
  };
}
