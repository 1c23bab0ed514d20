/** A justified layout: photos keep their aspect ratios, full rows have the width of the container. */

export interface Sized {
  width: number;
  height: number;
}

export interface PlacedPhoto<T> {
  photo: T;
  left: number;
  width: number;
}

export interface Row<T> {
  top: number;
  height: number;
  photos: PlacedPhoto<T>[];
  /** What stands over the first row of a section. */
  heading?: string;
}

/** The height of a heading, with the space around it. */
export const headingHeight = 48;

// Photos with more extreme aspect ratios are cropped.
const minAspectRatio = 0.5;
const maxAspectRatio = 2.6;

function aspectRatioOf({ width, height }: Sized): number {
  const aspectRatio = width > 0 && height > 0 ? width / height : 1;
  return Math.min(maxAspectRatio, Math.max(minAspectRatio, aspectRatio));
}

/**
 * Lays photos out in rows of at most `targetHeight` px with gaps of `gap` px. The last row is not stretched, nor is the last
 * one of a section, whose photos have one `sectionOf`.
 */
export function layoutRows<T extends Sized>(
  photos: readonly T[],
  width: number,
  targetHeight: number,
  gap: number,
  sectionOf?: (photo: T) => string,
): Row<T>[] {
  const rows: Row<T>[] = [];
  let top = 0;
  let members: T[] = [];
  let aspectRatioSum = 0;
  let section: string | undefined;
  let heading: string | undefined;

  const closeRow = (height: number) => {
    let left = 0;
    const placed = members.map((photo) => {
      const place = { photo, left, width: aspectRatioOf(photo) * height };
      left += place.width + gap;
      return place;
    });
    if (heading !== undefined) top += headingHeight;
    rows.push({ top, height, photos: placed, ...(heading !== undefined && { heading }) });
    heading = undefined;
    top += height + gap;
    members = [];
    aspectRatioSum = 0;
  };

  if (width <= 0) return rows;
  const closeLast = () => {
    if (members.length > 0)
      closeRow(Math.min(targetHeight, (width - gap * (members.length - 1)) / aspectRatioSum));
  };
  for (const photo of photos) {
    const next = sectionOf?.(photo);
    if (next !== section) {
      closeLast();
      section = next;
      heading = next;
    }
    members.push(photo);
    aspectRatioSum += aspectRatioOf(photo);
    const height = (width - gap * (members.length - 1)) / aspectRatioSum;
    if (height <= targetHeight) closeRow(height);
  }
  closeLast();
  return rows;
}
