import type { Photo } from '../../../platform/api/types';

/** The chosen photos. Those that a filter hides stay chosen, but nothing is done to them: see `selectionInSight`. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** The photo that was clicked last, where a range begins; null if there is none. */
  readonly anchor: string | null;
}

export const noSelection: Selection = { chosen: new Set(), anchor: null };

export function togglePhoto({ chosen }: Selection, id: string): Selection {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return { chosen: next, anchor: id };
}

/**
 * Adds the photos from the anchor to this one, in the order shown; without an anchor in sight, from `start` on, or this one
 * alone.
 */
export function extendSelection(
  { chosen, anchor }: Selection,
  id: string,
  shown: readonly Photo[],
  start: string = id,
): Selection {
  const place = (wanted: string | null) => shown.findIndex((photo) => photo.id === wanted);
  const to = place(id);
  const begin = place(anchor) < 0 ? start : anchor;
  const from = place(begin);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  const range = shown.slice(first, last + 1).map((photo) => photo.id);
  return { chosen: new Set([...chosen, ...range]), anchor: from < 0 ? id : begin };
}

export const selectPhotos = ({ chosen, anchor }: Selection, photos: readonly Photo[]): Selection => ({
  chosen: new Set([...chosen, ...photos.map(({ id }) => id)]),
  anchor,
});

/** What was chosen before a drag, and what it touches. */
export const dragSelection = (before: Selection, touched: readonly string[]): Selection => ({
  chosen: new Set([...before.chosen, ...touched]),
  anchor: touched.at(-1) ?? before.anchor,
});

export function deselectPhotos({ chosen, anchor }: Selection, ids: readonly string[]): Selection {
  const next = new Set(chosen);
  for (const id of ids) next.delete(id);
  return { chosen: next, anchor };
}

/** The chosen photos that are shown, and how many the filter hides. A photo that is gone is neither. */
export function selectionInSight(
  { chosen }: Selection,
  photos: readonly Photo[],
  shown: readonly Photo[],
): { ids: string[]; hidden: number } {
  if (chosen.size === 0) return { ids: [], hidden: 0 };
  const ids = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  return { ids, hidden: photos.filter(({ id }) => chosen.has(id)).length - ids.length };
}
