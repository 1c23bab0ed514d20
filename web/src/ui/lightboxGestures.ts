import { type PointerEvent as ReactPointerEvent, useEffect } from 'react';
import {
  type ComponentProps,
  createModule,
  EVENT_ON_POINTER_CANCEL,
  EVENT_ON_POINTER_DOWN,
  EVENT_ON_POINTER_LEAVE,
  EVENT_ON_POINTER_MOVE,
  EVENT_ON_POINTER_UP,
  type Plugin,
  useController,
} from 'yet-another-react-lightbox';

/** Pixels after which the library takes the way of a finger for a swipe. */
const swipeThreshold = 30;

/**
 * Lets one gesture at a time happen. The library's zoom and its swipes listen to the same fingers, so that a pinch also
 * turned the page, pulled the photo down, or closed the viewer as a tap on its ground when the fingers were lifted.
 * From the second finger on, swipes learn nothing of these fingers; during a swipe, a second finger is ignored.
 */
function Gestures({ children }: ComponentProps) {
  const { subscribeSensors, containerRef } = useController();
  useQuietCarousel();
  useEffect(() => {
    const fingers = new Map<number, { x: number; y: number }>();
    const pinching = new Set<number>();
    let swiping: number | null = null;
    const hide = (event: ReactPointerEvent) => {
      if (pinching.has(event.pointerId)) event.stopPropagation();
    };
    const down = (event: ReactPointerEvent) => {
      if (fingers.size === 0) pinching.clear();
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size < 2) return;
      for (const id of fingers.keys()) pinching.add(id);
      hide(event);
    };
    const move = (event: ReactPointerEvent) => {
      const from = fingers.get(event.pointerId);
      if (from !== undefined && !pinching.has(event.pointerId)) {
        const way = Math.max(Math.abs(event.clientX - from.x), Math.abs(event.clientY - from.y));
        if (way > swipeThreshold) swiping = event.pointerId;
      }
      hide(event);
    };
    const up = (event: ReactPointerEvent) => {
      fingers.delete(event.pointerId);
      if (swiping === event.pointerId) swiping = null;
      hide(event);
    };
    const ignoreSecondFinger = (event: PointerEvent) => {
      if (swiping !== null && swiping !== event.pointerId) event.stopPropagation();
    };
    const container = containerRef.current;
    container?.addEventListener('pointerdown', ignoreSecondFinger, { capture: true });
    const unsubscribe = [
      subscribeSensors(EVENT_ON_POINTER_DOWN, down),
      subscribeSensors(EVENT_ON_POINTER_MOVE, move),
      subscribeSensors(EVENT_ON_POINTER_UP, up),
      subscribeSensors(EVENT_ON_POINTER_LEAVE, up),
      subscribeSensors(EVENT_ON_POINTER_CANCEL, up),
    ];
    return () => {
      container?.removeEventListener('pointerdown', ignoreSecondFinger, { capture: true });
      for (const each of unsubscribe) each();
    };
  }, [subscribeSensors, containerRef]);
  return children;
}

/** The library's live region reads whole slides; the viewer has one of its own, which names the photo. */
function useQuietCarousel(): void {
  const { containerRef } = useController();
  useEffect(
    () => containerRef.current?.querySelector('.yarl__carousel')?.setAttribute('aria-live', 'off'),
    [containerRef],
  );
}

/**
 * Listens after the zoom, which subscribes later and so is asked first, and before the swipes. Must come before the
 * zoom in the list of plugins.
 */
export const oneGestureAtATime: Plugin = ({ addModule }) => {
  addModule(createModule('gestures', Gestures));
};
