import { type ReactNode, useMemo } from 'react';
import YarlLightbox, { type Plugin } from 'yet-another-react-lightbox';
import 'yet-another-react-lightbox/styles.css';
import { sameOrigin } from '../api/links';
import { room } from '../theme/tokens';

export interface LightboxPhoto {
  id: string;
  /** Image URL, as the server returned it. */
  url: string;
  alt: string;
  /** Pixels; 0 if unknown. */
  width: number;
  height: number;
}

/**
 * A full-screen photo viewer: arrow keys and swipes navigate, Escape and pulling down close.
 * It tracks the current photo by id, so that the list may change while it is open. An id that is not in the list shows
 * nothing.
 */
export function Lightbox({
  photos,
  currentId,
  toolbarButtons = [],
  plugins = [],
  caption,
  onChange,
  onClose,
}: {
  photos: readonly LightboxPhoto[];
  currentId: string;
  /** Extra toolbar buttons, beside the close button; each has a key. */
  toolbarButtons?: readonly ReactNode[];
  /** Plugins of the library. */
  plugins?: Plugin[];
  /** What is said of the photo, above it. */
  caption?: ReactNode;
  onChange: (id: string) => void;
  onClose: () => void;
}) {
  // A new array makes the library render again, even in the middle of a swipe.
  const slides = useMemo(
    () =>
      photos.map(({ url, alt, width, height }) => ({
        src: sameOrigin(url),
        alt,
        ...(width > 0 && height > 0 && { width, height }),
      })),
    [photos],
  );
  const index = photos.findIndex(({ id }) => id === currentId);
  if (index < 0) return null;
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <YarlLightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      on={{
        view: ({ index: at }) => {
          const photo = photos[at];
          if (photo !== undefined) onChange(photo.id);
        },
      }}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      animation={reducedMotion ? { fade: 0, swipe: 0 } : { fade: 200 }}
      // Below dialogs and the snackbar.
      styles={{
        container: { backgroundColor: room.ground },
        root: { '--yarl__portal_zindex': 'calc(var(--mui-zIndex-modal) - 1)' },
      }}
      plugins={plugins}
      {...(caption !== undefined && { render: { controls: () => caption } })}
      toolbar={{ buttons: [...toolbarButtons, 'close'] }}
    />
  );
}
