import Lightbox from 'yet-another-react-lightbox';
import 'yet-another-react-lightbox/styles.css';
import { sameOrigin } from '../../shared/api/links';
import type { Photo } from '../../shared/api/types';
import { room } from '../../shared/theme/tokens';

/** One photo over everything; arrow keys go through them, Escape closes. */
export default function PhotoLightbox({
  photos,
  openId,
  onClose,
}: {
  photos: readonly Photo[];
  openId: string;
  onClose: () => void;
}) {
  return (
    <Lightbox
      open
      close={onClose}
      index={photos.findIndex(({ id }) => id === openId)}
      slides={photos.map(({ url, width, height, original_filename }) => ({
        src: sameOrigin(url),
        width,
        height,
        alt: original_filename,
      }))}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnBackdropClick: true }}
      styles={{ container: { backgroundColor: room.ground } }}
    />
  );
}
