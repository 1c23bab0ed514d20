import { t } from '@lingui/core/macro';
import { type CSSProperties, memo } from 'react';
import { sameOrigin } from '../../../shared/api/links';
import { Icon } from '../../../shared/components/Icon';
import { useImageLoad } from '../../../shared/components/useImageLoad';
import { type Rendition, renditionSize } from '../../../shared/renditions';
import { motion } from '../../../shared/theme/tokens';
import { photoName } from '../photoName';
import { DownloadButton } from '../saving/DownloadButton';
import type { DownloadState } from '../saving/downloads';
import { type Match, matchId } from '../search/matches';
import { HeartButton } from './HeartButton';
import styles from './MatchTile.module.css';

const maxAnimatedTiles = 8;

/** What the tiles of a list share; none of it changes while photos are downloaded. */
export interface TileActions {
  open: (id: string) => void;
  download: (match: Match, position: number) => void;
  cancel: (match: Match) => void;
  /** Puts a heart on the photo, or takes it back. */
  heart: (match: Match) => void;
  /** Opens the menu of the photo. */
  menu: (id: string) => void;
  /** An image could not be loaded. */
  report: (link: string) => void;
  /** An image is loaded, from this link. */
  remember: (id: string, link: string) => void;
}

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
  windowed,
  place,
  sizes,
  download,
  saved,
  chosen,
  hearted,
  hasMenu,
  saves,
  actions,
}: {
  match: Match;
  /** From 1. */
  position: number;
  total: number;
  /** Not all photos of the list are in the document. */
  windowed: boolean;
  /** Where it is in the grid. */
  place: CSSProperties;
  /** The width of its image, as `sizes` of an `<img>`. */
  sizes: string;
  download: DownloadState | undefined;
  saved: boolean;
  /** Whether the photo is chosen to be saved with others; undefined while none can be chosen. */
  chosen: boolean | undefined;
  /** Whether the guest has put a heart on it. */
  hearted: boolean;
  hasMenu: boolean;
  /** It can be saved. */
  saves: boolean;
  actions: TileActions;
}) {
  const id = matchId(match);
  const link = match.thumbnail_url ?? match.url;
  const { phase, failed, source, attempt, onLoad, onError, retry } = useImageLoad(link, {
    src: sameOrigin(link ?? ''),
    srcSet: sourceSet(match),
  });
  const name = photoName(position, total);
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
            aria-pressed={chosen}
            aria-label={failed ? t`${name}. Failed to load. Try again` : undefined}
            onClick={failed && chosen === undefined ? retry : () => actions.open(id)}
          >
            {failed && broken}
            <img
              key={attempt}
              src={source.src}
              // Of an image that failed, the smallest rendition is enough.
              srcSet={attempt === 0 ? source.srcSet : undefined}
              sizes={sizes}
              alt={name}
              width={match.width || undefined}
              height={match.height || undefined}
              loading={position <= 3 ? 'eager' : 'lazy'}
              fetchPriority={position === 1 ? 'high' : undefined}
              decoding="async"
              data-loaded={phase === 'loaded'}
              onLoad={({ currentTarget }) => {
                onLoad();
                actions.remember(id, currentTarget.currentSrc);
              }}
              onError={() => {
                onError();
                actions.report(link);
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
        {chosen === undefined && (
          <div className={styles['menu']}>
            {match.photo_id !== null && match.s3_key !== null && (
              <HeartButton position={position} on={hearted} onToggle={() => actions.heart(match)} />
            )}
            {hasMenu && (
              <button
                type="button"
                aria-label={t`Options for photo ${position}`}
                onClick={() => actions.menu(id)}
              >
                <Icon name="menu" />
              </button>
            )}
          </div>
        )}
        {chosen === undefined && saves && (
          <div className={styles['corner']}>
            <DownloadButton
              position={position}
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
