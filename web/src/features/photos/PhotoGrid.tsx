import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type Ref,
  useEffect,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Photo } from '../../shared/api/types';
import { type ModifierKeys, PhotoTile } from './PhotoTile';
import { layoutRows } from './justifiedRows';

const wideRow = 250;
const narrowRow = 132;

/** Pixels at the edges of the window that may be covered by bars. */
const coveredAtTop = 124;
const coveredAtBottom = 96;

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

/** All photos in justified rows, virtualized: only the rows near the viewport are rendered. */
export function PhotoGrid({
  ref,
  photos,
  selectedIds,
  selecting,
  onPress,
  onSelect,
  onNearEnd,
}: {
  ref?: Ref<PhotoGridHandle>;
  photos: readonly Photo[];
  selectedIds: ReadonlySet<string>;
  /** Pressing a photo selects it. */
  selecting: boolean;
  onPress: (id: string, keys: ModifierKeys) => void;
  onSelect: (id: string, keys: ModifierKeys) => void;
  onNearEnd: () => void;
}) {
  const { containerRef, width, top } = useElementRect();
  const wide = useMediaQuery((theme) => theme.breakpoints.up('md'));
  const rows = useMemo(
    () => layoutRows(photos, width, wide ? wideRow : narrowRow, wide ? 6 : 3),
    [photos, width, wide],
  );
  const list = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => rows[index]?.height ?? wideRow,
    gap: wide ? 6 : 3,
    overscan: 4,
    scrollMargin: top,
    scrollPaddingStart: coveredAtTop,
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
  useImperativeHandle(
    ref,
    () => ({
      reveal: (id) => {
        const row = rows.findIndex(({ photos: placed }) => placed.some(({ photo }) => photo.id === id));
        if (row < 0) return;
        toFocus.current = id;
        list.scrollToIndex(row, { align: 'auto' });
        focusRevealed();
      },
    }),
    [rows, list, focusRevealed],
  );

  const end = rows.at(-1);
  return (
    <Box
      ref={containerRef}
      component="ul"
      aria-label={t`Photos`}
      sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', userSelect: 'none' }}
      style={{ height: end === undefined ? 0 : end.top + end.height }}
    >
      {visible.flatMap(({ index }) => {
        const row = rows[index];
        return (row?.photos ?? []).map(({ photo, left, width: tileWidth }) => (
          <Box
            component="li"
            key={photo.id}
            data-photo={photo.id}
            sx={{ position: 'absolute' }}
            style={{ top: row?.top, left, width: tileWidth, height: row?.height }}
          >
            <PhotoTile
              photo={photo}
              selected={selectedIds.has(photo.id)}
              selecting={selecting}
              onPress={(keys) => onPress(photo.id, keys)}
              onSelect={(keys) => onSelect(photo.id, keys)}
            />
          </Box>
        ));
      })}
    </Box>
  );
}
