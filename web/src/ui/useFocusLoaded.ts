import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Focuses the first of the entries that were loaded last, since the button that loads them moves down or is gone.
 * Call what it returns when more are asked for; `count` is how many `list` has.
 */
export function useFocusLoaded(list: RefObject<HTMLElement | null>, count: number): () => void {
  const shown = useRef<number>(undefined);
  useEffect(() => {
    if (shown.current === undefined || count <= shown.current) return;
    (list.current?.children[shown.current] as HTMLElement | undefined)?.focus();
    shown.current = undefined;
  }, [list, count]);
  return useCallback(() => {
    shown.current = count;
  }, [count]);
}
