import { useState } from 'react';

/** What was written and neither sent nor given up, of this document: the page may go to the form of a PIN meanwhile. */
const drafts = new Map<string, string>();

/** A text that is being written, which is there again where it was left when the page comes back. */
export function useDraft(place: string, initial: string) {
  const [text, setText] = useState(() => drafts.get(place) ?? initial);
  return {
    text,
    write: (written: string) => {
      drafts.set(place, written);
      setText(written);
    },
    /** It was sent, or given up. */
    forget: () => void drafts.delete(place),
  };
}
