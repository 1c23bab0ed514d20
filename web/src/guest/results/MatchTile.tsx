import { t } from '@lingui/core/macro';
import { type CSSProperties, memo, type ReactNode, useEffect, useState } from 'react';
import { sameOrigin } from '../../platform/api/links';
import { Icon } from '../../ui/Icon';
import { useImageLoad } from '../../ui/useImageLoad';
import type { Stacked } from '../../platform/stacks';
import { positionIn, type Rendition, renditionSize } from '../../platform/renditions';
import { motion } from '../../ui/theme/tokens';
import { photoName } from '../photoName';
import { DownloadButton } from '../downloads/DownloadButton';
import type { DownloadState } from '../downloads/downloads';
import { type Match, matchId } from '../search/matches';
import { StackChip } from './StackChip';
import styles from './MatchTile.module.css';

const maxAnimatedTiles = 8;

/** The photos that are loaded before all others: those in sight on a phone. */
export const firstPhotos = 3;

/** What the tiles of a list share; none of it changes while photos are downloaded. */
export interface TileActions {
  open: (id: string) => void;
  download: (match: Match, position: number) => void;
  cancel: (match: Match) => void;
  /** An image could not be loaded. */
  report: (link: string) => void;
  /** An image is loaded, from this link. */
  remember: (id: string, link: string) => void;
  /** Shows the photos of a stack, or only the best of them. */
  toggleStack: (stack: string) => void;
  /** The first attempt to load an image has ended. */
  settle: (position: number) => void;
}

/**
 * What is loaded for a tile: nothing while others are in front of it, the smallest rendition, or the one for the size that it
 * has.
 */
export type Loading = 'waiting' | 'small' | 'full';

/** The renditions of a photo by their widths, for the browser to choose one; undefined if its size is unknown. */
function sourceSet(match: Match): string | undefined {
  if (match.width === 0 || match.height === 0) return undefined;
  const links: [Rendition, string | null][] = [
    ['thumbnail', match.thumbnail_url],
    ['medium', match.medium_url],
    ['preview', match.url],
  ];
  return links
    .flatMap(([rendition, link]) =>
      link === null ? [] : [`${sameOrigin(link)} ${renditionSize(match, rendition).width}w`],
    )
    .join(', ');
}

/**
 * A matched photo with its download button; its box is reserved before the image is loaded. Rendered again only when
 * something of its own changes: a list of a thousand is not, with every piece of a download.
 */
export const MatchTile = memo(function MatchTile({
  match,
  position,
  total,
  albums,
  windowed,
  place,
  sizes,
  loading,
  tabbable,
  download,
  saved,
  chosen,
  hearted,
  saves,
  stack,
  corner,
  actions,
}: {
  match: Match;
  /** From 1. */
  position: number;
  total: number;
  /** The names of the albums that it is in; null without one. */
  albums: string | null;
  /** Not all photos of the list are in the document. */
  windowed: boolean;
  /** Where it is in the grid. */
  place: CSSProperties;
  /** The width of its image, as `sizes` of an `<img>`. */
  sizes: string;
  loading: Loading;
  /** It is the photo of the list that the keyboard stops at. */
  tabbable: boolean;
  download: DownloadState | undefined;
  saved: boolean;
  /** Whether the photo is chosen to be saved with others; undefined while none can be chosen. */
  chosen: boolean | undefined;
  /** Whether the guest has put a heart on it. */
  hearted: boolean;
  /** It can be saved. */
  saves: boolean;
  /** How the list shows it where others of it are alike. */
  stack: Stacked | undefined;
  /** What is in its corner, in the place of what saves it. */
  corner?: ReactNode;
  actions: TileActions;
}) {
  const id = matchId(match);
  const link = match.thumbnail_url ?? match.url;
  const { phase, failed, source, attempt, onLoad, onError, retry } = useImageLoad(link, {
    src: sameOrigin(link ?? ''),
    srcSet: sourceSet(match),
  });
  // Without a link there is nothing to wait for.
  useEffect(() => {
    if (link === null) actions.settle(position);
  }, [link, position, actions]);
  const [fullFailed, failFull] = useState(false);
  const name = photoName(position, total, albums, match.captured_at);
  const tabIndex = tabbable ? undefined : -1;
  const broken = (
    <span className={styles['broken']}>
      <Icon name="brokenPicture" size={24} />
      {t`Failed to load`}
      {link !== null && <strong>{t`Try again`}</strong>}
    </span>
  );
  return (
    <li
      className={styles['place']}
      data-photo={id}
      data-alike={stack?.isOpen}
      style={{ ...place, '--delay': animationDelayOf(position) }}
      {...(windowed && { 'aria-setsize': total, 'aria-posinset': position })}
    >
      <div
        className={styles['tile']}
        style={phase === 'loaded' || match.color === null ? undefined : { backgroundColor: match.color }}
      >
        {link === null ? (
          broken
        ) : (
          <button
            type="button"
            className={styles['open']}
            tabIndex={tabIndex}
            aria-pressed={chosen}
            aria-label={failed ? t`${name}. Failed to load. Try again` : undefined}
            onClick={failed && chosen === undefined ? retry : () => actions.open(id)}
          >
            {failed && broken}
            <img
              key={attempt}
              src={loading === 'waiting' ? undefined : source.src}
              // Of an image that failed, the smallest rendition is enough.
              srcSet={attempt === 0 && loading === 'full' && !fullFailed ? source.srcSet : undefined}
              sizes={sizes}
              alt={name}
              width={match.width || undefined}
              height={match.height || undefined}
              style={{ objectPosition: positionIn(match.focus, match.width, match.height) }}
              loading={position <= firstPhotos ? 'eager' : 'lazy'}
              fetchPriority={position === 1 ? 'high' : undefined}
              decoding="async"
              data-loaded={phase === 'loaded'}
              onLoad={({ currentTarget }) => {
                onLoad();
                actions.remember(id, currentTarget.currentSrc);
                actions.settle(position);
              }}
              onError={() => {
                // Of the larger rendition; the small one is there.
                if (phase === 'loaded') failFull(true);
                else onError();
                actions.report(link);
                actions.settle(position);
              }}
            />
          </button>
        )}
        {download?.phase === 'failed' && <p className={styles['reason']}>{download.reason}</p>}
        {chosen === true && (
          <span className={styles['chosen']}>
            <Icon name="check" />
          </span>
        )}
        {chosen === undefined && hearted && (
          <span className={styles['hearted']} role="img" aria-label={t`Favourite`}>
            <Icon name="heart" size={18} />
          </span>
        )}
        {stack?.isBest && (
          <StackChip stack={stack} tabIndex={tabIndex} onToggle={() => actions.toggleStack(stack.id)} />
        )}
        {corner}
        {chosen === undefined && saves && (
          <div className={styles['corner']}>
            <DownloadButton
              position={position}
              tabIndex={tabIndex}
              state={download}
              saved={saved}
              onDownload={() => actions.download(match, position)}
              onCancel={() => actions.cancel(match)}
            />
          </div>
        )}
      </div>
    </li>
  );
});

const animationDelayOf = (place: number): string =>
  `${place <= maxAnimatedTiles ? (place - 1) * motion.stagger : 0}ms`;
