import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Area } from './gridKeys';

/** Pixels that the mouse moves before a press is a drag. */
const threshold = 6;
/** At so many pixels from the edges of the window, and so fast in pixels a frame, a drag scrolls. */
const edge = 48;
const scrollStep = 14;

interface Point {
  x: number;
  y: number;
}

const areaOf = (one: Point, other: Point): Area => ({
  left: Math.min(one.x, other.x),
  top: Math.min(one.y, other.y),
  right: Math.max(one.x, other.x),
  bottom: Math.max(one.y, other.y),
});

/**
 * The rectangle that is dragged over an element with the mouse, in the element's pixels; null while there is none. A drag
 * ends in no click.
 */
export function useMarquee(
  element: RefObject<HTMLElement | null>,
  { onStart, onChange }: { onStart: () => void; onChange: (area: Area) => void },
): Area | null {
  const [area, setArea] = useState<Area | null>(null);
  const start = useEffectEvent(onStart);
  const change = useEffectEvent((next: Area) => {
    setArea(next);
    onChange(next);
  });
  useEffect(() => {
    const container = element.current;
    if (container === null) return undefined;
    let from: Point | null = null;
    let pointer: Point | null = null;
    let dragging = false;
    let frame = 0;
    const place = ({ x, y }: Point): Point => {
      const { left, top } = container.getBoundingClientRect();
      return { x: x - left, y: y - top };
    };
    const draw = () => {
      if (from !== null && pointer !== null) change(areaOf(from, place(pointer)));
    };
    const scroll = () => {
      if (!dragging || pointer === null) return;
      const step = pointer.y < edge ? -scrollStep : pointer.y > window.innerHeight - edge ? scrollStep : 0;
      if (step !== 0) {
        window.scrollBy(0, step);
        draw();
      }
      frame = requestAnimationFrame(scroll);
    };
    const move = (event: PointerEvent) => {
      if (from === null) return;
      pointer = { x: event.clientX, y: event.clientY };
      if (!dragging) {
        const { x, y } = place(pointer);
        if (Math.hypot(x - from.x, y - from.y) < threshold) return;
        dragging = true;
        start();
        frame = requestAnimationFrame(scroll);
      }
      draw();
    };
    const swallow = (event: MouseEvent) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      cancelAnimationFrame(frame);
      if (dragging) {
        // The click that follows the release belongs to the drag.
        window.addEventListener('click', swallow, { capture: true, once: true });
        setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
        setArea(null);
      }
      from = null;
      pointer = null;
      dragging = false;
    };
    const press = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType !== 'mouse') return;
      from = place({ x: event.clientX, y: event.clientY });
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', end);
      window.addEventListener('pointercancel', end);
    };
    // A picture would be dragged out of the page instead.
    const refuse = (event: DragEvent) => event.preventDefault();
    container.addEventListener('pointerdown', press);
    container.addEventListener('dragstart', refuse);
    return () => {
      end();
      container.removeEventListener('pointerdown', press);
      container.removeEventListener('dragstart', refuse);
    };
  }, [element]);
  return area;
}
