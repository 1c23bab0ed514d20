import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { sameOrigin } from '../platform/api/links';
import styles from './LightboxSlide.module.css';
import { ProgressBar } from './ProgressBar';
import { useImageLoad } from './useImageLoad';
import { VisuallyHidden } from './VisuallyHidden';

export interface LightboxPhoto {
  id: string;
  /** The link of the image, as the server returned it. */
  url: string;
  alt: string;
  /** Pixels of that image; 0 if unknown. */
  width: number;
  height: number;
  /** The link of a smaller image that is likely in the cache; shown until the image is loaded. */
  placeholder?: string | null | undefined;
  /** '#rrggbb', shown until there is an image. */
  color?: string | null | undefined;
}

/** The loading of the photo in sight. */
export interface SlideState {
  id: string;
  phase: 'loading' | 'loaded' | 'failed';
  retry: () => void;
}

interface Size {
  width: number;
  height: number;
}

/** The size in which an image is shown: as large as the space allows, but not larger than it is. */
function fit({ width, height }: Size, space: Size): Size {
  if (width === 0 || height === 0) return space;
  const scale = Math.min(1, space.width / width, space.height / height);
  return { width: width * scale, height: height * scale };
}

/** A photo of the lightbox: its placeholder at once, the image as soon as it is loaded. */
export function LightboxSlide({
  photo,
  space,
  current,
  waiting,
  onState,
  onSize,
  overlay,
}: {
  photo: LightboxPhoto;
  space: Size;
  current: boolean;
  /** The photo in sight is still being loaded: its neighbours come after it. */
  waiting: boolean;
  onState: (state: SlideState) => void;
  /** The size of an image that was unknown. */
  onSize: (id: string, size: Size) => void;
  overlay: ReactNode;
}) {
  const { id, url, alt, placeholder, color, width, height } = photo;
  const { source, phase, failed, attempt, onLoad, onError, retry } = useImageLoad(url, sameOrigin(url));
  const [started, setStarted] = useState(current);
  if (!started && (current || !waiting)) setStarted(true);
  const shown = phase === 'loaded' ? 'loaded' : failed ? 'failed' : 'loading';
  useEffect(() => {
    if (current) onState({ id, phase: shown, retry });
  }, [current, id, shown, retry, onState]);
  return (
    <div
      className={styles['photo']}
      data-loaded={shown === 'loaded'}
      style={{
        ...fit({ width, height }, space),
        ...(shown !== 'loaded' && {
          backgroundColor: color ?? undefined,
          backgroundImage:
            placeholder == null ? undefined : `url(${JSON.stringify(sameOrigin(placeholder))})`,
        }),
      }}
    >
      <img
        key={attempt}
        src={started ? source : undefined}
        alt={alt}
        draggable={false}
        onLoad={({ currentTarget }) => {
          onLoad();
          if (width === 0 || height === 0)
            onSize(id, { width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
        }}
        onError={onError}
      />
      {overlay}
    </div>
  );
}

function announcementOf(photo: string, phase: SlideState['phase']): string {
  if (phase === 'loading') return t`${photo}, loading`;
  return phase === 'failed' ? t`${photo}, could not be loaded in full` : photo;
}

/** What is said over the photo in sight: how its loading goes, and for screen readers which one it is. */
export function LightboxStatus({
  alt,
  state,
  caption,
}: {
  alt: string;
  state: SlideState | null;
  caption: ReactNode;
}) {
  const phase = state?.phase ?? 'loading';
  return (
    <>
      {caption}
      <VisuallyHidden role="status">{announcementOf(alt, phase)}</VisuallyHidden>
      {phase === 'loading' && (
        <div className={styles['progress']}>
          <ProgressBar label={t`Loading photo`} tone="lit" />
        </div>
      )}
      {phase === 'failed' && (
        <div className={styles['notice']}>
          {t`This photo could not be loaded in full.`}
          <button type="button" onClick={() => state?.retry()}>
            {t`Try again`}
          </button>
        </div>
      )}
    </>
  );
}
