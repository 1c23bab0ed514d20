import { useEffect, useEffectEvent, useState } from 'react';
import type { StoredValue } from '../../../platform/storage/storage';

/** Whether a key belongs to the lightbox: not to a dialog above it. */
const isForLightbox = (target: EventTarget | null): boolean =>
  target instanceof Element && (target === document.body || target.closest('.yarl__root') !== null);

/** Whether the lightbox shows something, which a key switches too; remembered on the device. */
export function useLightboxSwitch(
  stored: StoredValue<boolean>,
  shortcut: string,
): { shown: boolean; toggle: () => void } {
  const [shown, setShown] = useState(() => stored.read() === true);
  const toggle = () => {
    stored.write(!shown);
    setShown(!shown);
  };
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, repeat, target } = event;
    if (key.toLowerCase() !== shortcut || ctrlKey || metaKey || altKey || repeat) return;
    if (!isForLightbox(target)) return;
    event.preventDefault();
    toggle();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return { shown, toggle };
}
