import { useEffect, useReducer, useState } from 'react';

/** The messages of the views below, which are in a catalogue of their own. */
const importMessages = async () => (await import('./resultsMessages')).addResultsMessages();

/** The views while a search runs, and after one without photos; what it needs, and what searches for photos that arrive. */
export async function importSearchViews() {
  const [{ SearchingView }, { FailedView }, { NewMatches }] = await Promise.all([
    import('./search/SearchingView'),
    import('./search/FailedView'),
    import('./search/NewMatches'),
    importMessages(),
    import('./capture/selfies'),
  ]);
  return { SearchingView, FailedView, NewMatches };
}

/** The views after a search that found faces. */
export async function importFoundViews() {
  const [{ FoundPhotos }, { FaceChooser }] = await Promise.all([
    import('./FoundPhotos'),
    import('./search/FaceChooser'),
    importMessages(),
  ]);
  return { FoundPhotos, FaceChooser };
}

/** Calls `preload` once: after the first paint, or at the first interaction. Returns what cancels it. */
function schedule(preload: () => void, at: 'firstPaint' | 'interaction'): () => void {
  if (at === 'firstPaint') {
    const timer = setTimeout(preload);
    return () => clearTimeout(timer);
  }
  const events = ['pointerdown', 'keydown'];
  const stop = () => {
    for (const event of events) window.removeEventListener(event, start);
  };
  const start = () => {
    stop();
    preload();
  };
  for (const event of events) window.addEventListener(event, start);
  return stop;
}

/**
 * Views that are not in the first load. They are imported at once when they are `needed`, and before that at the given
 * moment, as the network may be lost until then. `failed` if that was not possible although they are needed.
 */
export function useLazyViews<Views>(
  importViews: () => Promise<Views>,
  needed: boolean,
  preloadAt: 'firstPaint' | 'interaction',
) {
  const [views, setViews] = useState<Views | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, tryAgain] = useReducer((count: number) => count + 1, 0);
  const missing = needed && views === null;
  useEffect(() => {
    let cancelled = false;
    const load = async () => {
      setFailed(false);
      try {
        const imported = await importViews();
        if (!cancelled) setViews(imported);
      } catch {
        if (!cancelled) setFailed(true);
      }
    };
    const stop = missing ? undefined : schedule(() => void load(), preloadAt);
    if (missing) void load();
    return () => {
      cancelled = true;
      stop?.();
    };
  }, [importViews, missing, preloadAt, attempt]);
  return { views, failed: missing && failed, tryAgain };
}
