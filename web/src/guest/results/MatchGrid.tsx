import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLazyComponent } from '../../ui/useLazyComponent';
import { useMediaQuery } from '../../ui/useMediaQuery';
import { type Match, matchId } from '../search/matches';
import { albumNames } from './albums';
import { arrangeInSections, type Box, type Section, toCss } from './arrange';
import styles from './MatchGrid.module.css';
import { firstPhotos, type Loading, MatchTile, type TileActions } from './MatchTile';
import { useShownPhotos } from './shownPhotos';

/** Above this number of photos, only those near the window are in the document. */
export const maxWithoutWindow = 200;

const importWindow = () => import('./WindowedSections');

/** Height divided by width, limited for extreme shapes; 1 if unknown. */
const heightToWidthOf = ({ width, height }: Match): number =>
  width > 0 && height > 0 ? Math.min(2.2, Math.max(0.4, height / width)) : 1;

interface Tile {
  place: CSSProperties;
  sizes: string;
}

const tileOf = ({ left, top, width, height }: Box, section: Section): Tile => ({
  place: {
    insetInlineStart: toCss(left),
    top: toCss({ share: section.top.share + top.share, gaps: section.top.gaps + top.gaps }),
    width: toCss(width),
    height: toCss(height),
  },
  // The grid is as wide as the window or the column, without their padding; beside what is said of it where the window is low.
  sizes: `(min-width: 600px) and (max-height: 500px) ${(width.share * 46).toFixed(1)}vw, calc(${width.share.toFixed(3)} * min(100vw - 32px, 1008px))`,
});

/** The same functions on every render, which call those of the latest. */
function useStableActions(latest: TileActions): TileActions {
  const current = useRef(latest);
  useEffect(() => {
    current.current = latest;
  });
  const [actions] = useState<TileActions>(() => ({
    open: (...given) => current.current.open(...given),
    download: (...given) => current.current.download(...given),
    cancel: (...given) => current.current.cancel(...given),
    report: (...given) => current.current.report(...given),
    remember: (...given) => current.current.remember(...given),
    toggleStack: (...given) => current.current.toggleStack(...given),
    settle: (...given) => current.current.settle(...given),
  }));
  return actions;
}

/**
 * What is loaded for the photo at a position: on a slow line all of them at once would be there last of all. So the first
 * comes alone, then the others in sight, then the rest, and larger renditions with them.
 */
function useLoadingOrder(count: number) {
  const [settled, setSettled] = useState<ReadonlySet<number>>(new Set());
  const first = Math.min(firstPhotos, count);
  const all = Array.from({ length: first }, (_, at) => at + 1).every((position) => settled.has(position));
  return {
    /** The photos in sight are there, or have failed. */
    firstLoaded: all,
    loadingOf: (position: number): Loading => {
      if (all) return 'full';
      return position === 1 || (position <= first && settled.has(1)) ? 'small' : 'waiting';
    },
    settle: (position: number) =>
      setSettled((known) =>
        position > firstPhotos || known.has(position) ? known : new Set(known).add(position),
      ),
  };
}

/** By how many photos a key moves the focus in a list of so many; undefined for other keys. */
function stepOf(key: string, count: number): number | undefined {
  const ahead = document.documentElement.dir === 'rtl' ? -1 : 1;
  if (key === 'ArrowRight') return ahead;
  if (key === 'ArrowLeft') return -ahead;
  return { ArrowDown: 1, ArrowUp: -1, Home: -count, End: count }[key];
}

/** The list of photos: in rows on a wide screen, else in two columns that end at the same line. It is one stop of the keyboard; arrows go through it. */
export function MatchGrid({
  focusId,
  onOpen,
  onFailed,
  onLoaded,
  onFirstLoaded,
}: {
  /** The photo that gets the focus when this changes to its id, in the document or not. */
  focusId: string | null;
  onOpen: (id: string) => void;
  onFailed: (link: string) => void;
  onLoaded: (id: string, link: string) => void;
  /** The photos in sight are loaded: the line is free. */
  onFirstLoaded?: () => void;
}) {
  const { label, matches, total, albums, downloads, chosenIds, heartedIds, stackOf, onStack, cornerOf } =
    useShownPhotos();
  const list = useRef<HTMLUListElement>(null);
  const wide = useMediaQuery('(min-width: 600px)');
  const sections = useMemo(() => arrangeInSections(matches.map(heightToWidthOf), wide), [matches, wide]);
  const tiles = useMemo(
    () => sections.map((section) => section.boxes.map((box) => tileOf(box, section))),
    [sections],
  );
  const { firstLoaded, loadingOf, settle } = useLoadingOrder(matches.length);
  useEffect(() => {
    if (firstLoaded) onFirstLoaded?.();
  }, [firstLoaded, onFirstLoaded]);
  const actions = useStableActions({
    open: onOpen,
    download: downloads.download,
    cancel: downloads.cancel,
    report: onFailed,
    remember: onLoaded,
    toggleStack: onStack,
    settle,
  });
  const long = matches.length > maxWithoutWindow;
  const windowed = useLazyComponent(importWindow);
  const [loadWindow] = useState(() => windowed.load);
  const [windowFailed, setWindowFailed] = useState(false);
  useEffect(() => {
    if (long) loadWindow().catch(() => setWindowFailed(true));
  }, [long, loadWindow]);

  // The photo at which Tab stops.
  const [stopId, setStopId] = useState<string | null>(null);
  const indexOf = (id: string | null) =>
    id === null ? -1 : matches.findIndex((match) => matchId(match) === id);
  const stopIndex = indexOf(stopId);
  const focusIndex = indexOf(focusId);
  const waiting = useRef<string | null>(null);
  const focusWaiting = useCallback(() => {
    if (waiting.current === null) return;
    const tile = `[data-photo="${CSS.escape(waiting.current)}"] button`;
    const button = list.current?.querySelector<HTMLElement>(tile);
    if (button == null) return;
    waiting.current = null;
    button.focus();
  }, []);
  /** Photos that are not in the document load nothing, and so are not waited for. */
  const settleAbsent = () => {
    const isThere = (selector: string) => list.current?.querySelector(selector) != null;
    // The window is still empty when its code has just come.
    if (firstLoaded || !isThere('[aria-posinset]')) return;
    for (let position = 1; position <= firstPhotos; position += 1)
      if (!isThere(`[aria-posinset="${position}"]`)) settle(position);
  };
  useEffect(() => {
    waiting.current = focusId;
    focusWaiting();
  }, [focusId, focusWaiting]);

  const renderSection = (at: number): ReactNode => {
    const start = sections[at]?.start ?? 0;
    return tiles[at]?.map(({ place, sizes }, index) => {
      const match = matches[start + index];
      if (match === undefined) return null;
      const id = matchId(match);
      return (
        <MatchTile
          key={id}
          match={match}
          position={start + index + 1}
          total={total}
          windowed={long}
          place={place}
          sizes={sizes}
          loading={loadingOf(start + index + 1)}
          tabbable={start + index === Math.max(0, stopIndex)}
          albums={albumNames(albums, match)}
          download={downloads.states[id]}
          saved={downloads.saved.has(id)}
          chosen={chosenIds?.has(id)}
          hearted={heartedIds.has(id)}
          saves={downloads.offered !== 'none'}
          stack={stackOf(match)}
          corner={cornerOf?.(
            match,
            start + index + 1,
            start + index === Math.max(0, stopIndex) ? undefined : -1,
          )}
          actions={actions}
        />
      );
    });
  };

  const goBy = (event: KeyboardEvent) => {
    const step = stepOf(event.key, matches.length);
    const from = indexOf(
      (event.target as Element).closest('[data-photo]')?.getAttribute('data-photo') ?? null,
    );
    if (step === undefined || from < 0) return;
    event.preventDefault();
    const next = matches[Math.max(0, Math.min(matches.length - 1, from + step))];
    if (next === undefined) return;
    waiting.current = matchId(next);
    setStopId(matchId(next));
    focusWaiting();
  };

  const last = sections.at(-1);
  const height = last && {
    share: last.top.share + last.height.share,
    gaps: last.top.gaps + last.height.gaps,
  };
  // While the code for the window is not there, the first photos are.
  const shown = long && !windowFailed ? sections.slice(0, 2) : sections;
  return (
    <div className={styles['grid']}>
      <ul
        ref={list}
        role="list"
        aria-label={label}
        className={styles['list']}
        onKeyDown={goBy}
        onFocus={({ target }) =>
          setStopId(target.closest('[data-photo]')?.getAttribute('data-photo') ?? null)
        }
        style={height && { height: toCss(height) }}
      >
        {long && windowed.Component !== null ? (
          <windowed.Component
            list={list}
            sections={sections}
            keep={sections.findLastIndex(({ start }) => start <= (stopIndex < 0 ? focusIndex : stopIndex))}
            render={renderSection}
            onRendered={() => {
              focusWaiting();
              settleAbsent();
            }}
          />
        ) : (
          shown.map((_, at) => renderSection(at))
        )}
      </ul>
    </div>
  );
}
