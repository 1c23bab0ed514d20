/** Justified rows: every photo at its true proportions, every full row as wide as the page. */

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
}

// Panoramas and slips would leave no room for their neighbours: beyond this they are cropped.
const narrowest = 0.5;
const widest = 2.6;

function proportionOf({ width, height }: Sized): number {
  const proportion = width > 0 && height > 0 ? width / height : 1;
  return Math.min(widest, Math.max(narrowest, proportion));
}

/** Lays photos into rows of about `targetHeight` px, `gap` px apart, over `width` px. The last row keeps the target height. */
export function layRows<T extends Sized>(
  photos: readonly T[],
  width: number,
  targetHeight: number,
  gap: number,
): Row<T>[] {
  const rows: Row<T>[] = [];
  let top = 0;
  let members: T[] = [];
  let proportions = 0;

  const close = (height: number) => {
    let left = 0;
    const placed = members.map((photo) => {
      const place = { photo, left, width: proportionOf(photo) * height };
      left += place.width + gap;
      return place;
    });
    rows.push({ top, height, photos: placed });
    top += height + gap;
    members = [];
    proportions = 0;
  };

  if (width <= 0) return rows;
  for (const photo of photos) {
    members.push(photo);
    proportions += proportionOf(photo);
    const height = (width - gap * (members.length - 1)) / proportions;
    if (height <= targetHeight) close(height);
  }
  if (members.length > 0) {
    close(Math.min(targetHeight, (width - gap * (members.length - 1)) / proportions));
  }
  return rows;
}
