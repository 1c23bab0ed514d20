import { useCallback, useEffect, useState } from 'react';

/** Milliseconds before a failed image is requested again by itself: each failure waits for the next of them. */
export const imageRetryPauses = [1000, 4000, 16_000] as const;

interface Load<Source> {
  link: string | null;
  phase: 'loading' | 'loaded' | 'failed';
  failures: number;
  /** What was loaded. */
  source: Source | null;
}

const start = <Source>(link: string | null): Load<Source> => ({
  link,
  phase: 'loading',
  failures: 0,
  source: null,
});

/**
 * The loading of an `<img>`: a failed one is requested again with growing pauses, at once when the network is back, and
 * by `retry`. Links are renewed by each search; an image that is loaded stays, one that failed is tried with its new
 * link.
 */
export function useImageLoad<Source>(link: string | null, source: Source) {
  const [load, setLoad] = useState<Load<Source>>(() => start(link));
  if (load.link !== link && load.phase !== 'loaded') setLoad(start(link));
  const { phase, failures } = load;

  const retry = useCallback(
    () => setLoad((now) => (now.phase === 'failed' ? { ...now, phase: 'loading' } : now)),
    [],
  );
  useEffect(() => {
    if (phase !== 'failed') return undefined;
    const pause = imageRetryPauses[failures - 1];
    const timer = pause === undefined ? undefined : setTimeout(retry, pause);
    window.addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    };
  }, [phase, failures, retry]);

  return {
    phase,
    /** The last attempt failed, or there is nothing to request; stays until an image is there. */
    failed: link === null || (failures > 0 && phase !== 'loaded'),
    /** The source to show: the one that was loaded, or else the current one. */
    source: load.source ?? source,
    /** The key of the `<img>`: a new element requests the image again. */
    attempt: phase === 'failed' ? failures - 1 : failures,
    onLoad: () => setLoad((now) => ({ ...now, phase: 'loaded', source })),
    onError: () => setLoad((now) => ({ ...now, phase: 'failed', failures: now.failures + 1 })),
    retry,
  };
}
