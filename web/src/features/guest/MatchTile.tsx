import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { sameOrigin } from '../../shared/api/links';
import { Icon } from '../../shared/components/Icon';
import { motion, radius } from '../../shared/theme/tokens';
import { rowsPerColumnWidth } from './ResultsLayout';
import { DownloadButton } from './DownloadButton';
import type { DownloadState } from './downloads';
import type { Match } from './matches';

const Tile = styled('div')(({ theme }) => ({
  position: 'relative',
  height: '100%',
  overflow: 'hidden',
  borderRadius: radius.photo,
  backgroundColor: theme.vars.palette.sunken,
  animation: `tile-enter ${motion.slow}ms ${motion.standard} backwards`,
  animationDelay: 'var(--delay)',
  '@keyframes tile-enter': { from: { opacity: 0, transform: 'translateY(12px)' } },
  '& .open': {
    position: 'absolute',
    inset: 0,
    padding: 0,
    border: 0,
    background: 'none',
    cursor: 'zoom-in',
    '&:focus-visible': { outlineOffset: -3 },
  },
  '& img': {
    display: 'block',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    opacity: 0,
    transition: 'opacity 200ms',
    '&[data-loaded=true]': { opacity: 1 },
  },
  '& .corner': { position: 'absolute', right: 6, bottom: 6, zIndex: 1 },
  '& .reason': {
    position: 'absolute',
    inset: '0 0 auto 0',
    margin: 0,
    padding: '8px 10px',
    fontSize: 13,
    lineHeight: 1.35,
    color: '#FFFFFF',
    backgroundColor: 'rgb(14 14 14 / .78)',
  },
}));

const BrokenImage = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: 0,
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 6,
  fontSize: 14,
  color: theme.vars.palette.text.secondary,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: radius.photo,
  '& svg': { color: theme.vars.palette.error.main },
}));

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
      <Tile>
        {broken ? (
          <BrokenImage>
            <Icon name="brokenPicture" size={24} />
            Failed to load
          </BrokenImage>
        ) : (
          <button type="button" className="open" onClick={onOpen} style={{ width: '100%', height: '100%' }}>
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
        {download?.phase === 'failed' && <p className="reason">{download.reason}</p>}
        <div className="corner">
          <DownloadButton
            position={position}
            state={download}
            saved={saved}
            onDownload={onDownload}
            onCancel={onCancel}
          />
        </div>
      </Tile>
    </li>
  );
}

const animationDelayOf = (place: number): string =>
  `${place <= maxAnimatedTiles ? (place - 1) * motion.stagger : 0}ms`;
