import { useState } from 'react';
import { sameOrigin } from '../../../shared/api/links';
import { Icon } from '../../../shared/components/Icon';
import { motion } from '../../../shared/theme/tokens';
import { DownloadButton } from '../saving/DownloadButton';
import type { DownloadState } from '../saving/downloads';
import type { Match } from '../search/matches';
import styles from './MatchTile.module.css';
import { rowsPerColumnWidth } from './ResultsLayout';

const maxAnimatedTiles = 8;

/** Height divided by width, limited for extreme shapes; 1 if unknown. */
const heightToWidthOf = ({ width, height }: Match): number =>
  width > 0 && height > 0 ? Math.min(2.2, Math.max(0.4, height / width)) : 1;

/** A matched photo with its download button; its box is reserved before the image loads. */
export function MatchTile({
  match,
  position,
  total,
  download,
  saved,
  chosen,
  onOpen,
  onDownload,
  onCancel,
  onBroken,
}: {
  match: Match;
  /** From 1. */
  position: number;
  total: number;
  download: DownloadState | undefined;
  saved: boolean;
  /** Whether the photo is chosen to be saved with others; undefined while none can be chosen. */
  chosen: boolean | undefined;
  onOpen: () => void;
  onDownload: () => void;
  onCancel: () => void;
  onBroken: () => void;
}) {
  const [loaded, setLoaded] = useState(false);
  const thumbnail = match.thumbnail_url ?? match.url;
  const preview = match.url ?? match.thumbnail_url;
  // A new link is tried again.
  const [brokenLink, setBrokenLink] = useState<string | null>(null);
  const broken = thumbnail === null || preview === null || brokenLink === thumbnail;
  return (
    <li
      style={{
        '--rows': Math.round(rowsPerColumnWidth * heightToWidthOf(match)),
        '--delay': animationDelayOf(position),
      }}
    >
      <div className={styles['tile']}>
        {broken ? (
          <div className={styles['broken']}>
            <Icon name="brokenPicture" size={24} />
            Failed to load
          </div>
        ) : (
          <button type="button" className={styles['open']} aria-pressed={chosen} onClick={onOpen}>
            <picture>
              {/* The thumbnail is large enough for half a phone; the first photo and wide columns need the preview. */}
              <source media="(min-width: 600px)" srcSet={sameOrigin(preview)} />
              <img
                src={sameOrigin(position === 1 ? preview : thumbnail)}
                alt={`Photo ${position} of ${total}`}
                width={match.width || undefined}
                height={match.height || undefined}
                loading={position <= 3 ? 'eager' : 'lazy'}
                decoding="async"
                data-loaded={loaded}
                onLoad={() => setLoaded(true)}
                onError={() => {
                  setBrokenLink(thumbnail);
                  onBroken();
                }}
              />
            </picture>
          </button>
        )}
        {download?.phase === 'failed' && <p className={styles['reason']}>{download.reason}</p>}
        {chosen === true && (
          <span className={styles['chosen']}>
            <Icon name="check" />
          </span>
        )}
        <div className={styles['corner']} hidden={chosen !== undefined}>
          <DownloadButton
            position={position}
            state={download}
            saved={saved}
            onDownload={onDownload}
            onCancel={onCancel}
          />
        </div>
      </div>
    </li>
  );
}

const animationDelayOf = (place: number): string =>
  `${place <= maxAnimatedTiles ? (place - 1) * motion.stagger : 0}ms`;
