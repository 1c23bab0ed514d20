import { useMemo, useState } from 'react';
import { type StackedList, stackPhotos } from '../platform/stacks';

export interface Stacks<Photo> extends StackedList<Photo> {
  /** Opens a stack, or closes it. */
  toggle: (stack: string) => void;
  /** Whether all of them were opened together. */
  allOpen: boolean;
  /** Opens all of them, or closes all. */
  toggleAll: () => void;
}

const none: ReadonlySet<string> = new Set();
const closed = { all: false, others: none };
const notStacked = () => undefined;

/** A list of photos in which the best of those that are alike stands for the others; `on` is false where all are shown, and none marked. */
export function useStacks<Photo extends Parameters<typeof stackPhotos>[0][number]>(
  photos: readonly Photo[],
  on: boolean,
): Stacks<Photo> {
  // `others` are those that are not as all of them are.
  const [{ all, others }, setOpen] = useState(closed);
  const list = useMemo(
    () =>
      on
        ? stackPhotos(photos, (stack) => all !== others.has(stack))
        : { photos, moments: photos.length, stackOf: notStacked },
    [photos, on, all, others],
  );
  return {
    ...list,
    toggle: (stack) =>
      setOpen((before) => {
        const next = new Set(before.others);
        if (!next.delete(stack)) next.add(stack);
        return { ...before, others: next };
      }),
    allOpen: all,
    toggleAll: () => setOpen(all ? closed : { all: true, others: none }),
  };
}
