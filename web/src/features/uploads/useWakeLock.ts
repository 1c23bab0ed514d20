import { useEffect } from 'react';

/** Keeps the screen on while `active`, so that no device falls asleep over its work. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    // Missing on plain http and in older browsers: there the device sleeps when it likes.
    const wakeLock = 'wakeLock' in navigator ? navigator.wakeLock : undefined;
    if (!active || wakeLock === undefined) return undefined;
    let over = false;
    let lock: WakeLockSentinel | undefined;
    const hold = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        const held = await wakeLock.request('screen');
        if (over) await held.release();
        else lock = held;
      } catch {
        // Refused, as on a low battery: the work goes on all the same.
      }
    };
    const onChange = () => void hold();
    onChange();
    // The browser lets go whenever the page is out of sight.
    document.addEventListener('visibilitychange', onChange);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', onChange);
      void lock?.release();
    };
  }, [active]);
}
