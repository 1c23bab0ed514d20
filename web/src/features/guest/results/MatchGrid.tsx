import { type CSSProperties, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLazyComponent } from '../../../shared/components/useLazyComponent';
import { useMediaQuery } from '../../../shared/components/useMediaQuery';
import type { Downloads } from '../saving/useDownloads';
import { type Match, matchId } from '../search/matches';
import { arrangeInSections, type Box, type Section, toCss } from './arrange';
import styles from './MatchGrid.module.css';
import { MatchTile, type TileActions } from './MatchTile';

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
  // The grid is as wide as the window or the column, without their padding.
  sizes: `calc(${width.share.toFixed(3)} * min(100vw - 32px, 1008px))`,
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
    heart: (...given) => current.current.heart(...given),
    menu: (...given) => current.current.menu(...given),
    report: (...given) => current.current.report(...given),
    remember: (...given) => current.current.remember(...given),
  }));
  return actions;
}

/** The list of photos, in two columns that end at the same line. */
export function MatchGrid({
  label,
  matches,
  total = matches.length,
  downloads,
  chosenIds,
  heartedIds,
  focusId,
  onOpen,
  onHeart,
  onMenu,
  onFailed,
  onLoaded,
}: {
  label: string;
  matches: readonly Match[];
  /** How many there are with those that are not loaded yet. */
  total?: number;
  downloads: Pick<Downloads, 'offered' | 'states' | 'saved' | 'download' | 'cancel'>;
  /** The photos that are chosen to be saved together; null while none can be chosen. */
  chosenIds: ReadonlySet<string> | null;
  /** The photos on which the guest has put a heart. */
  heartedIds: ReadonlySet<string>;
  /** The photo that gets the focus when this changes to its id, in the document or not. */
  focusId: string | null;
  onOpen: (id: string) => void;
  onHeart: (match: Match) => void;
  /** Opens the menu of a photo; null if there is nothing in it. */
  onMenu: ((id: string) => void) | null;
  onFailed: (link: string) => void;
  onLoaded: (id: string, link: string) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const wide = useMediaQuery('(min-width: 600px)');
  const sections = useMemo(() => arrangeInSections(matches.map(heightToWidthOf), wide), [matches, wide]);
  const tiles = useMemo(
    () => sections.map((section) => section.boxes.map((box) => tileOf(box, section))),
    [sections],
  );
  const actions = useStableActions({
    open: onOpen,
    download: downloads.download,
    cancel: downloads.cancel,
    heart: onHeart,
    menu: (id) => onMenu?.(id),
    report: onFailed,
    remember: onLoaded,
  });
  const long = matches.length > maxWithoutWindow;
  const windowed = useLazyComponent(importWindow);
  const [loadWindow] = useState(() => windowed.load);
  const [windowFailed, setWindowFailed] = useState(false);
  useEffect(() => {
    if (long) loadWindow().catch(() => setWindowFailed(true));
  }, [long, loadWindow]);

  const focusIndex = focusId === null ? -1 : matches.findIndex((match) => matchId(match) === focusId);
  const waiting = useRef<string | null>(null);
  const focusWaiting = useCallback(() => {
    if (waiting.current === null) return;
    const tile = `[data-photo="${CSS.escape(waiting.current)}"] button`;
    const button = list.current?.querySelector<HTMLElement>(tile);
    if (button == null) return;
    waiting.current = null;
    button.focus();
  }, []);
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
          download={downloads.states[id]}
          saved={downloads.saved.has(id)}
          chosen={chosenIds?.has(id)}
          hearted={heartedIds.has(id)}
          hasMenu={onMenu !== null}
          saves={downloads.offered !== 'none'}
          actions={actions}
        />
      );
    });
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
        style={height && { height: toCss(height) }}
      >
        {long && windowed.Component !== null ? (
          <windowed.Component
            list={list}
            sections={sections}
            keep={sections.findLastIndex(({ start }) => start <= focusIndex)}
            render={renderSection}
            onRendered={focusWaiting}
          />
        ) : (
          shown.map((_, at) => renderSection(at))
        )}
      </ul>
    </div>
  );
}
