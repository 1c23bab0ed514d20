import { useEffect, useState } from 'react';

const displayDuration = 2000;

/** Copies a text to the clipboard; `copied` is true for 2 s afterwards, `failed` if the browser rejected it. */
export function useCopyToClipboard(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), displayDuration);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = () => {
    // `navigator.clipboard` is undefined without https.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const writing = clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    writing.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { copy, copied: state === 'copied', failed: state === 'failed' };
}
