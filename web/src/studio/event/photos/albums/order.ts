/** The items with that of the id before the one that it followed. */
export function swapWithPrevious<Item extends { id: string }>(items: readonly Item[], id: string): Item[] {
  const index = items.findIndex((item) => item.id === id);
  const [item, previous] = [items[index], items[index - 1]];
  if (item === undefined || previous === undefined) return [...items];
  return [...items.slice(0, index - 1), item, previous, ...items.slice(index + 1)];
}
