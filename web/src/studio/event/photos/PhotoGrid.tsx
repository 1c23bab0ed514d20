import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Photo } from '../../../platform/api/types';
import type { Stacked } from '../../../platform/stacks';
import { type ModifierKeys, PhotoTile } from './PhotoTile';
import { isGridMove, movedTo, touchedBy } from './gridKeys';
import { headingHeight, layoutRows } from './justifiedRows';
import { useMarquee } from './useMarquee';

const wideRow = 250;
const narrowRow = 132;

/** Pixels at the edges of the window that may be covered by bars. */
const coveredAtTop = 124;
const coveredWhileSelecting = 210;
const coveredAtBottom = 96;

const notStacked = () => undefined;
const nothing = () => undefined;

export interface PhotoGridHandle {
  /** Scrolls to a photo, unless it is in sight, and focuses it. */
  reveal: (id: string) => void;
}

function useElementRect() {
  const containerRef = useRef<HTMLDivElement>(null);
  const [rect, setRect] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = containerRef.current;
    if (element === null) return undefined;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      setRect({ width, top: top + window.scrollY });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { containerRef, ...rect };
}

/** The photo whose tile has the focus; undefined for what else can be pressed in a tile, which has keys of its own. */
function photoOf(target: EventTarget): string | undefined {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-photo]') : null;
  return item?.querySelector('button') === target ? item.dataset['photo'] : undefined;
}

/** All photos in justified rows, virtualized: only the rows near the viewport are rendered. */
export function PhotoGrid({
  ref,
  photos,
  selectedIds,
  selecting,
  showsSharpness = false,
  sectionOf,
  stackOf = notStacked,
  onPress,
  onSelect,
  onStack = nothing,
  onBest = null,
  onNearEnd,
  onExtend,
  onDragStart,
  onDrag,
}: {
  ref?: Ref<PhotoGridHandle>;
  photos: readonly Photo[];
  selectedIds: ReadonlySet<string>;
  /** Pressing a photo selects it. */
  selecting: boolean;
  /** Whether tiles say how sharp their photos are. */
  showsSharpness?: boolean;
  /** The heading under which a photo stands; without it there are no sections. */
  sectionOf?: ((photo: Photo) => string) | undefined;
  /** How the grid shows a photo that is like others of it. */
  stackOf?: (photo: Photo) => Stacked | undefined;
  onPress: (id: string, keys: ModifierKeys) => void;
  onSelect: (id: string, keys: ModifierKeys) => void;
  /** Shows the photos of a stack, or only the best of them. */
  onStack?: (stack: string) => void;
  /** Has a photo stand for its stack; null for whoever does not choose that. */
  onBest?: ((photo: Photo) => void) | null;
  onNearEnd: () => void;
  /** Selects from a photo up to another one. */
  onExtend: (id: string, from: string) => void;
  /** A rectangle is dragged over photos, and touches these. */
  onDragStart: () => void;
  onDrag: (touched: readonly string[]) => void;
}) {
  const { containerRef, width, top } = useElementRect();
  const wide = useMediaQuery((theme) => theme.breakpoints.up('md'));
  const rows = useMemo(
    () => layoutRows(photos, width, wide ? wideRow : narrowRow, wide ? 6 : 3, sectionOf),
    [photos, width, wide, sectionOf],
  );
  const list = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => {
      const row = rows[index];
      return (row?.height ?? wideRow) + (row?.heading === undefined ? 0 : headingHeight);
    },
    gap: wide ? 6 : 3,
    overscan: 4,
    scrollMargin: top,
    scrollPaddingStart: selecting ? coveredWhileSelecting : coveredAtTop,
    scrollPaddingEnd: coveredAtBottom,
    initialRect: { width: 0, height: window.innerHeight },
  });
  useEffect(() => list.measure(), [list, rows]);

  const visible = list.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 3) onNearEnd();
  }, [last, rows.length, onNearEnd]);

  const toFocus = useRef<string | null>(null);
  const focusRevealed = useCallback(() => {
    if (toFocus.current === null) return;
    const tile = containerRef.current?.querySelector(`[data-photo="${CSS.escape(toFocus.current)}"] button`);
    if (!(tile instanceof HTMLElement)) return;
    toFocus.current = null;
    tile.focus({ preventScroll: true });
  }, [containerRef]);
  // The row of the photo may be rendered only once the page has been scrolled there.
  useEffect(focusRevealed);
  const reveal = useCallback(
    (id: string) => {
      const row = rows.findIndex(({ photos: placed }) => placed.some(({ photo }) => photo.id === id));
      if (row < 0) return;
      toFocus.current = id;
      list.scrollToIndex(row, { align: 'auto' });
      focusRevealed();
    },
    [rows, list, focusRevealed],
  );
  useImperativeHandle(ref, () => ({ reveal }), [reveal]);

  const marquee = useMarquee(containerRef, {
    onStart: onDragStart,
    onChange: (area) => onDrag(touchedBy(rows, area)),
  });
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
    const id = photoOf(target);
    if (ctrlKey || metaKey || altKey || id === undefined) return;
    if (key === ' ') {
      event.preventDefault();
      onSelect(id, { shiftKey, ctrlKey, metaKey });
    } else if (isGridMove(key)) {
      event.preventDefault();
      const next = movedTo(rows, id, key)?.id;
      if (next === undefined || next === id) return;
      if (shiftKey) onExtend(next, id);
      reveal(next);
    }
  };
  /** In some browsers a button is pressed when the space bar is released. */
  const swallowSpace = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === ' ' && photoOf(event.target) !== undefined) event.preventDefault();
  };

  // The same for all tiles at all times, so that those that do not change are not rendered again.
  const latest = useRef({ onPress, onSelect, onStack, onBest });
  useLayoutEffect(() => {
    latest.current = { onPress, onSelect, onStack, onBest };
  });
  const press = useCallback((id: string, keys: ModifierKeys) => latest.current.onPress(id, keys), []);
  const select = useCallback((id: string, keys: ModifierKeys) => latest.current.onSelect(id, keys), []);
  const openStack = useCallback((stack: string) => latest.current.onStack(stack), []);
  const choose = useCallback((photo: Photo) => latest.current.onBest?.(photo), []);

  const end = rows.at(-1);
  return (
    <Box
      ref={containerRef}
      component="ul"
      aria-label={t`Photos`}
      onKeyDown={handleKey}
      onKeyUp={swallowSpace}
      sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', userSelect: 'none' }}
      style={{ height: end === undefined ? 0 : end.top + end.height }}
    >
      {visible.flatMap(({ index }) => {
        const row = rows[index];
        const heading = row?.heading !== undefined && (
          <Box
            component="li"
            key={`heading ${row.heading}`}
            sx={{
              position: 'absolute',
              left: 0,
              height: headingHeight,
              display: 'flex',
              alignItems: 'center',
            }}
            style={{ top: row.top - headingHeight }}
          >
            <Typography variant="h3" component="h2" sx={{ fontSize: 16 }}>
              {row.heading}
            </Typography>
          </Box>
        );
        const tiles = (row?.photos ?? []).map(({ photo, left, width: tileWidth }) => (
          <li
            key={photo.id}
            data-photo={photo.id}
            style={{ position: 'absolute', top: row?.top, left, width: tileWidth, height: row?.height }}
          >
            <PhotoTile
              photo={photo}
              width={tileWidth}
              atOnce={index === 0}
              selected={selectedIds.has(photo.id)}
              selecting={selecting}
              showsSharpness={showsSharpness}
              stack={stackOf(photo)}
              onPress={press}
              onSelect={select}
              onStack={openStack}
              onBest={onBest === null ? null : choose}
            />
          </li>
        ));
        return [heading, ...tiles];
      })}
      {marquee !== null && (
        <Box
          component="li"
          aria-hidden="true"
          sx={(theme) => ({
            position: 'absolute',
            zIndex: 2,
            pointerEvents: 'none',
            border: `1px solid ${theme.vars.palette.primary.main}`,
            backgroundColor: 'rgb(255 255 255 / .2)',
          })}
          style={{
            left: marquee.left,
            top: marquee.top,
            width: marquee.right - marquee.left,
            height: marquee.bottom - marquee.top,
          }}
        />
      )}
    </Box>
  );
}
