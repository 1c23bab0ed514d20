import { useEffect, useReducer, useState } from 'react';

async function importFound() {
  const [{ FoundPhotos }, { FaceChooser }] = await Promise.all([
    import('./FoundPhotos'),
    import('./search/FaceChooser'),
  ]);
  return { FoundPhotos, FaceChooser };
}

type Found = Awaited<ReturnType<typeof importFound>>;

/**
 * The views that come after a search. They are imported at the first interaction: not in the initial load, but before the
 * network may be lost. `failed` if that was not possible although they are `needed`.
 */
export function useFound(needed: boolean) {
  const [found, setFound] = useState<Found | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, tryAgain] = useReducer((count: number) => count + 1, 0);
  const missing = needed && found === null;
  useEffect(() => {
    let cancelled = false;
    const load = async () => {
      setFailed(false);
      try {
        const imported = await importFound();
        if (!cancelled) setFound(imported);
      } catch {
        if (!cancelled) setFailed(true);
      }
    };
    const events = ['pointerdown', 'keydown'];
    const stop = () => {
      for (const event of events) window.removeEventListener(event, preload);
    };
    const preload = () => {
      stop();
      void load();
    };
    if (missing) void load();
    else for (const event of events) window.addEventListener(event, preload);
    return () => {
      cancelled = true;
      stop();
    };
  }, [missing, attempt]);
  return { found, failed: missing && failed, tryAgain };
}
