import { useEffect, useState } from 'react';
import type { FaceBox } from '../search/matches';

interface Size {
  width: number;
  height: number;
}

/** The size of an image in px; null until it is loaded. */
export function useImageSize(picture: string | null): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (picture === null) return undefined;
    const image = new Image();
    image.onload = () => setSize({ width: image.naturalWidth, height: image.naturalHeight });
    image.src = picture;
    return () => {
      image.onload = null;
    };
  }, [picture]);
  return size;
}

/** A square around a face, wide enough to recognise it, in the units of the image. */
function cropOf(face: FaceBox, size: Size): string {
  const side = Math.max(face.width * size.width, face.height * size.height) * 1.35;
  const x = (face.x + face.width / 2) * size.width - side / 2;
  const y = (face.y + face.height / 2) * size.height - side / 2;
  return `${x} ${y} ${side} ${side}`;
}

/** The part of a picture with a face. */
export function FaceCrop({
  preview,
  size,
  face,
  alt = '',
}: {
  preview: string;
  size: Size;
  face: FaceBox;
  alt?: string;
}) {
  return (
    <svg
      viewBox={cropOf(face, size)}
      width="100%"
      height="100%"
      {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
    >
      <image href={preview} width={size.width} height={size.height} />
    </svg>
  );
}
