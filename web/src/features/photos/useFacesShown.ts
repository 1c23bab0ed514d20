import { useEffect, useEffectEvent, useState } from 'react';
import { storedFacesShown } from '../../shared/galleryStorage';

/** Whether a key belongs to the lightbox: not to a dialog above it. */
const isForLightbox = (target: EventTarget | null): boolean =>
  target instanceof Element && (target === document.body || target.closest('.yarl__root') !== null);

/** Whether the lightbox shows the faces found, which F switches too; remembered on the device. */
export function useFacesShown(): { shown: boolean; toggle: () => void } {
  const [shown, setShown] = useState(() => storedFacesShown.read() === true);
  const toggle = () => {
    storedFacesShown.write(!shown);
    setShown(!shown);
  };
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, repeat, target } = event;
    if (key.toLowerCase() !== 'f' || ctrlKey || metaKey || altKey || repeat || !isForLightbox(target)) return;
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
