import { createContext, useContext, useLayoutEffect } from 'react';

/**
 * The background behind the navigation bar: an opaque bar, an event's sky, the guest's photos (`quiet`), the dark hero
 * of the landing page (`room`, as the design tokens name it), or the form beside an image.
 */
export type BarTone = 'solid' | 'sky' | 'quiet' | 'room' | 'form';

export const BarToneContext = createContext<(tone: BarTone | null) => void>(() => undefined);

/** Sets the tone of the navigation bar while the screen is mounted. */
export function useBarTone(tone: BarTone): void {
  const setTone = useContext(BarToneContext);
  useLayoutEffect(() => {
    setTone(tone);
    return () => setTone(null);
  }, [setTone, tone]);
}
