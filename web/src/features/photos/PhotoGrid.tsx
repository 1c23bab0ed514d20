import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '../../shared/api/types';
import { type ModifierKeys, PhotoTile } from './PhotoTile';
import { layoutRows } from './justifiedRows';

const wideRow = 250;
const narrowRow = 132;

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
  photos,
  selectedIds,
  selecting,
  onPress,
  onSelect,
  onNearEnd,
}: {
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
    initialRect: { width: 0, height: window.innerHeight },
  });
  useEffect(() => list.measure(), [list, rows]);

  const visible = list.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 3) onNearEnd();
  }, [last, rows.length, onNearEnd]);

  const end = rows.at(-1);
  return (
    <Box
      ref={containerRef}
      component="ul"
      aria-label="Photos"
      sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', userSelect: 'none' }}
      style={{ height: end === undefined ? 0 : end.top + end.height }}
    >
      {visible.flatMap(({ index }) => {
        const row = rows[index];
        return (row?.photos ?? []).map(({ photo, left, width: tileWidth }) => (
          <Box
            component="li"
            key={photo.id}
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
