import type { FacePlace } from './photos';

/** The part of a face's box that lies in the photo: a face at the border may extend beyond it. */
export function withinPhoto({ x, y, width, height }: FacePlace): FacePlace {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(1, x + width) - left),
    height: Math.max(0, Math.min(1, y + height) - top),
  };
}
