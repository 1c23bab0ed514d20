import { t } from '@lingui/core/macro';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import YarlLightbox from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import { room } from './theme/tokens';
import { oneGestureAtATime } from './lightboxGestures';
import { type LightboxPhoto, LightboxSlide, LightboxStatus, type SlideState } from './LightboxSlide';
import styles from './LightboxSlide.module.css';

const plugins = [oneGestureAtATime, Zoom];

/**
 * A full-screen photo viewer: arrow keys and swipes navigate, Escape and pulling down close; pinching, a double tap, the
 * wheel, + and − zoom, and while zoomed, swipes and arrow keys move the photo.
 * It tracks the current photo by id, so that the list may change while it is open. An id that is not in the list shows
 * nothing.
 */
export function Lightbox({
  label = t`Lightbox`,
  photos,
  currentId,
  toolbarButtons = [],
  caption,
  overlay,
  onChange,
  onClose,
}: {
  /** The name of the dialog. */
  label?: string;
  photos: readonly LightboxPhoto[];
  currentId: string;
  /** Extra toolbar buttons, beside the close button; each has a key. */
  toolbarButtons?: readonly ReactNode[];
  /** What is said of the photo, above it. */
  caption?: ReactNode;
  /** What is drawn over the photo in sight: its box is that of the photo, and is zoomed with it. */
  overlay?: ReactNode;
  onChange: (id: string) => void;
  onClose: () => void;
}) {
  const [state, setState] = useState<SlideState | null>(null);
  const [sizes, setSizes] = useState<ReadonlyMap<string, { width: number; height: number }>>(new Map());
  const addSize = useCallback(
    (id: string, size: { width: number; height: number }) =>
      setSizes((known) => new Map(known).set(id, size)),
    [],
  );
  const byId = useMemo(
    () => new Map(photos.map((photo) => [photo.id, { ...photo, ...sizes.get(photo.id) }])),
    [photos, sizes],
  );
  // A slide is known by its id, not by its link: a renewed link must not end the zoom. A new array makes the library
  // render again, even in the middle of a swipe.
  const slides = useMemo(
    () =>
      [...byId.values()].map(({ id, alt, width, height }) => ({
        src: id,
        alt,
        ...(width > 0 && height > 0 && { width, height }),
      })),
    [byId],
  );
  const index = photos.findIndex(({ id }) => id === currentId);
  const current = photos[index];
  if (current === undefined) return null;
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const fingers = window.matchMedia('(hover: none)').matches;
  return (
    <YarlLightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      labels={{
        Lightbox: label,
        'Photo gallery': t`Photos`,
        Carousel: t`Photos`,
        Slide: t`Photo`,
        '{index} of {total}': t`${{ position: '{index}' }} of ${{ total: '{total}' }}`,
        Previous: t`Previous photo`,
        Next: t`Next photo`,
        Close: t`Close`,
        'Zoom in': t`Zoom in`,
        'Zoom out': t`Zoom out`,
      }}
      on={{
        view: ({ index: at }) => {
          const photo = photos[at];
          if (photo !== undefined) onChange(photo.id);
        },
      }}
      // Without padding, because a finger on it would not be part of a pinch.
      carousel={{ finite: true, preload: 1, padding: 0 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      animation={reducedMotion ? { fade: 0, swipe: 0, zoom: 0 } : { fade: 200, zoom: 200 }}
      // A double tap zooms in, and the next one back.
      zoom={{ doubleClickMaxStops: 1, maxZoomPixelRatio: 2, scrollToZoom: true, pinchZoomV4: true }}
      className={styles['viewer'] ?? ''}
      // Below dialogs and the snackbar.
      styles={{
        container: { backgroundColor: room.ground },
        root: { '--yarl__portal_zindex': 'calc(var(--mui-zIndex-modal) - 1)' },
      }}
      plugins={plugins}
      render={{
        slide: ({ slide, offset, rect }) => {
          const photo = byId.get((slide as { src: string }).src);
          return (
            photo && (
              <LightboxSlide
                photo={photo}
                space={rect}
                current={offset === 0}
                waiting={state?.id !== currentId || state.phase === 'loading'}
                onState={setState}
                onSize={addSize}
                overlay={photo.id === currentId ? overlay : null}
              />
            )
          );
        },
        // Fingers pinch and tap twice, and the buttons would take the room of what is said of the photo.
        ...(fingers && { buttonZoom: () => null }),
        controls: () => (
          <LightboxStatus
            alt={current.alt}
            state={state?.id === currentId ? state : null}
            caption={caption}
          />
        ),
      }}
      toolbar={{ buttons: [...toolbarButtons, 'close'] }}
    />
  );
}
