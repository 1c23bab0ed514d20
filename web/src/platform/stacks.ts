/** Of which stack of photos that are alike a photo is, as the API tells it: the lower the place, the better. */
export interface Stack {
  id: string;
  place: number;
}

interface Stackable {
  stack?: Stack | null | undefined;
}

/** How a list shows a photo that is like others of it. */
export interface Stacked {
  id: string;
  /** How many photos of the list are alike. */
  size: number;
  /** Whether the others are shown. */
  isOpen: boolean;
  /** Whether it stands for the others. */
  isBest: boolean;
}

export interface StackedList<Photo> {
  /** Those that are shown. */
  photos: readonly Photo[];
  /** How many are shown where no stack is open. */
  moments: number;
  /** Undefined for a photo that is like no other of the list. */
  stackOf: (photo: Photo) => Stacked | undefined;
}

/**
 * Of photos that are alike the best, in the place of the first of them; where their stack is open, the others behind it in their
 * order.
 */
export function stackPhotos<Photo extends Stackable>(
  photos: readonly Photo[],
  isOpen: (stack: string) => boolean,
): StackedList<Photo> {
  const members = new Map<string, Photo[]>();
  for (const photo of photos) {
    if (photo.stack == null) continue;
    const known = members.get(photo.stack.id);
    if (known === undefined) members.set(photo.stack.id, [photo]);
    else known.push(photo);
  }
  const stacked = new Map<Photo, Stacked>();
  const ordered = new Map<string, readonly Photo[]>();
  for (const [id, alike] of members) {
    if (alike.length < 2) continue;
    const best = alike.reduce((one, other) =>
      (other.stack?.place ?? 0) < (one.stack?.place ?? 0) ? other : one,
    );
    const open = isOpen(id);
    for (const photo of alike)
      stacked.set(photo, { id, size: alike.length, isOpen: open, isBest: photo === best });
    ordered.set(id, open ? [best, ...alike.filter((photo) => photo !== best)] : [best]);
  }
  const stackOf = (photo: Photo) => stacked.get(photo);
  if (ordered.size === 0) return { photos, moments: photos.length, stackOf };
  const shown = photos.flatMap((photo) => {
    const stack = stacked.get(photo);
    if (stack === undefined) return photo;
    const isFirst = members.get(stack.id)?.[0] === photo;
    return isFirst ? (ordered.get(stack.id) ?? []) : [];
  });
  return { photos: shown, moments: photos.length - stacked.size + ordered.size, stackOf };
}
