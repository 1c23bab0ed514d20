import { createContext, useContext, useLayoutEffect } from 'react';

/**
 * What the navigation bar lies on: a line of its own, a sky, the guest's photos (`quiet`), the dark room of the
 * landing page, or the form beside a picture.
 */
export type BarTone = 'solid' | 'sky' | 'quiet' | 'room' | 'form';

export const BarToneContext = createContext<(tone: BarTone | null) => void>(() => undefined);

/** Tells the bar what it lies on while this screen is shown. */
export function useBarTone(tone: BarTone): void {
  const setTone = useContext(BarToneContext);
  useLayoutEffect(() => {
    setTone(tone);
    return () => setTone(null);
  }, [setTone, tone]);
}
