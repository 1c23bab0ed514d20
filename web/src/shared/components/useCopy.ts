import { useEffect, useState } from 'react';

const shownFor = 2000;

/** Puts a text on the clipboard; `copied` is true for 2 s afterwards, `failed` when the browser refused. */
export function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), shownFor);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = () => {
    // Without https the clipboard is not there at all.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const writing = clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    writing.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { copy, copied: state === 'copied', failed: state === 'failed' };
}
