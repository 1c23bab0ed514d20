import { useEffect, useEffectEvent } from 'react';

interface SelectionKeys {
  onSelectAll: () => void;
  onClear: () => void;
  onDelete: () => void;
  onHelp?: () => void;
}

/** Whether a key belongs to the page: not to a dialog or menu above it, and not to a text field. */
function isForPage(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input:not([type=checkbox]), textarea, select, [contenteditable=true]')) return false;
  return target === document.body || target.closest('main') !== null;
}

/** Ctrl+A selects all photos, Esc clears the selection, Delete deletes it, ? shows the keys. */
export function useSelectionKeys({ onSelectAll, onClear, onDelete, onHelp }: SelectionKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || !isForPage(event.target)) return;
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSelectAll();
    } else if (event.key === '?') onHelp?.();
    else if (event.key === 'Escape') onClear();
    // What a Mac calls Delete.
    else if (event.key === 'Delete' || event.key === 'Backspace') onDelete();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
