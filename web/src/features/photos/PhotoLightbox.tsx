import { useMemo } from 'react';
import type { Photo } from '../../shared/api/types';
import { Lightbox } from '../../shared/components/Lightbox';

export interface PhotoLightboxProps {
  photos: readonly Photo[];
  currentId: string;
  onChange: (id: string) => void;
  onClose: () => void;
}

/** The lightbox of the gallery. */
export default function PhotoLightbox({ photos, ...shown }: PhotoLightboxProps) {
  const pictures = useMemo(
    () => photos.map(({ original_filename, ...photo }) => ({ ...photo, alt: original_filename })),
    [photos],
  );
  return <Lightbox photos={pictures} {...shown} />;
}
