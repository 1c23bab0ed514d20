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

export const selectPhotos = ({ chosen, anchor }: Selection, ids: readonly string[]): Selection => ({
  chosen: new Set([...chosen, ...ids]),
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

const nothing: readonly string[] = [];

/**
 * The chosen photos of the list that is shown, and how many the filter hides. A photo that is gone is neither. `following` are
 * those that come after the loaded ones and whose ids are known, `elsewhere` those of other lists.
 */
export function selectionInSight(
  { chosen }: Selection,
  photos: readonly Photo[],
  shown: readonly Photo[],
  following = nothing,
  elsewhere = nothing,
): { ids: string[]; hidden: number } {
  if (chosen.size === 0) return { ids: [], hidden: 0 };
  const isChosen = (id: string) => chosen.has(id);
  const ids = [...shown.map(({ id }) => id), ...following].filter(isChosen);
  const all = new Set([...photos.map(({ id }) => id), ...elsewhere, ...following].filter(isChosen));
  return { ids, hidden: all.size - ids.length };
}
