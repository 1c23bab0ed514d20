import { type ReactNode, useMemo } from 'react';
import Lightbox from 'yet-another-react-lightbox';
import 'yet-another-react-lightbox/styles.css';
import { sameOrigin } from '../api/links';
import { room } from '../theme/tokens';

export interface ViewerPhoto {
  id: string;
  /** Link to the picture, as the server gave it. */
  url: string;
  alt: string;
  /** Pixels; 0 where the server does not know. */
  width: number;
  height: number;
}

/**
 * One photo over the whole screen: arrow keys and swipes go on, Escape and a pull down close.
 * It follows the shown photo by its id: others may come and go around it. What is not in the list is not shown.
 */
export function Viewer({
  photos,
  shownId,
  tool,
  onShow,
  onClose,
}: {
  photos: readonly ViewerPhoto[];
  shownId: string;
  /** Something to do with the shown photo, beside the way out. */
  tool?: ReactNode;
  onShow: (id: string) => void;
  onClose: () => void;
}) {
  // A new list makes the library draw anew, in the middle of a swipe too.
  const slides = useMemo(
    () =>
      photos.map(({ url, alt, width, height }) => ({
        src: sameOrigin(url),
        alt,
        ...(width > 0 && height > 0 && { width, height }),
      })),
    [photos],
  );
  const index = photos.findIndex(({ id }) => id === shownId);
  if (index < 0) return null;
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <Lightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      on={{
        view: ({ index: at }) => {
          const photo = photos[at];
          if (photo !== undefined) onShow(photo.id);
        },
      }}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      animation={still ? { fade: 0, swipe: 0 } : { fade: 200 }}
      styles={{ container: { backgroundColor: room.ground } }}
      toolbar={{ buttons: tool === undefined ? ['close'] : [tool, 'close'] }}
    />
  );
}
