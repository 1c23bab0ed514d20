import { useCallback, useEffect, useState } from 'react';
import { filesOf, type Handle, loadHandles, saveHandles } from './fileHandles';

const none: readonly Handle[] = [];

/** The handles of the files of an event's unfinished batch. */
export function useFileHandles(eventId: string, unfinished: boolean) {
  const [kept, setKept] = useState({ eventId, handles: none });
  useEffect(() => {
    let current = true;
    if (!unfinished) return undefined;
    void loadHandles(eventId).then((handles) => {
      if (current) setKept({ eventId, handles });
    });
    return () => {
      current = false;
    };
  }, [eventId, unfinished]);
  const handles = unfinished && kept.eventId === eventId ? kept.handles : none;
  return {
    canReopen: handles.length > 0,
    /** The files that can still be read; to be called on a click, since the browser asks the person. */
    reopen: useCallback(async () => {
      const files = await filesOf(handles);
      // What cannot be opened any more is not offered again.
      if (files.length === 0) setKept({ eventId, handles: none });
      return files;
    }, [eventId, handles]),
    keep: useCallback((added: readonly Handle[]) => saveHandles(eventId, added), [eventId]),
  };
}
