import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { type Section, toPixels } from './arrange';

/** The width of an element, its distance from the top of the document, and the gap of its grid, in px. */
interface Measures {
  width: number;
  top: number;
  gap: number;
}

function measure(list: HTMLElement): Measures {
  const { width, top } = list.getBoundingClientRect();
  const gap = Number.parseFloat(getComputedStyle(list).getPropertyValue('--gap')) || 0;
  return { width, top: top + window.scrollY, gap };
}

/** Renders the sections near the window, the one with the focus, and the one to `keep`. */
export default function WindowedSections({
  list,
  sections,
  keep,
  render,
  onRendered,
}: {
  list: RefObject<HTMLElement | null>;
  sections: readonly Section[];
  /** The index of a section that is rendered in any case; negative for none. */
  keep: number;
  render: (at: number) => ReactNode;
  /** Called whenever other sections may be in the document than before. */
  onRendered: () => void;
}) {
  const [measures, setMeasures] = useState<Measures>({ width: 0, top: 0, gap: 0 });
  const [focused, setFocused] = useState(-1);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const update = () => {
      const next = measure(element);
      setMeasures((now) =>
        now.width === next.width && now.top === next.top && now.gap === next.gap ? now : next,
      );
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);

  const { width, top, gap } = measures;
  const virtualizer = useWindowVirtualizer({
    count: sections.length,
    estimateSize: (at) => toPixels(sections[at]?.height ?? { share: 0, gaps: 0 }, width, gap),
    gap,
    scrollMargin: top,
    overscan: 1,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) =>
        [...new Set([...defaultRangeExtractor(range), focused, keep])]
          .filter((at) => at >= 0 && at < sections.length)
          .sort((a, b) => a - b),
      [focused, keep, sections.length],
    ),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, sections, width, gap]);

  useLayoutEffect(() => {
    const element = list.current;
    const follow = ({ target }: FocusEvent) => {
      const position = Number((target as Element).closest('li')?.getAttribute('aria-posinset')) - 1;
      setFocused(sections.findLastIndex(({ start }) => start <= position));
    };
    const leave = () => setFocused(-1);
    element?.addEventListener('focusin', follow);
    element?.addEventListener('focusout', leave);
    return () => {
      element?.removeEventListener('focusin', follow);
      element?.removeEventListener('focusout', leave);
    };
  }, [list, sections]);

  useEffect(onRendered);
  return virtualizer.getVirtualItems().map(({ index }) => <Fragment key={index}>{render(index)}</Fragment>);
}
