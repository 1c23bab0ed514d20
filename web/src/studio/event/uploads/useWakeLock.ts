import { useEffect } from 'react';

/** Holds a screen wake lock while `active`. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    // Not available on http and in older browsers.
    const wakeLock = 'wakeLock' in navigator ? navigator.wakeLock : undefined;
    if (!active || wakeLock === undefined) return undefined;
    let cancelled = false;
    let lock: WakeLockSentinel | undefined;
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        const sentinel = await wakeLock.request('screen');
        if (cancelled) await sentinel.release();
        else lock = sentinel;
      } catch {
        // The request can be denied, for example on a low battery: the uploads run without it.
      }
    };
    const handleVisibilityChange = () => void acquire();
    handleVisibilityChange();
    // The browser releases the lock when the page becomes hidden.
    document.addEventListener('visibilitychange', handleVisibilityChange);
    return () => {
      cancelled = true;
      document.removeEventListener('visibilitychange', handleVisibilityChange);
      void lock?.release();
    };
  }, [active]);
}
