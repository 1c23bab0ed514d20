/** Resolves to true if there is no unsaved work, or if the user agrees to discard it. */
export type UnsavedWorkGuard = () => Promise<boolean>;

const guards = new Set<UnsavedWorkGuard>();

/** Registers a guard that is asked before a logout or a change of the selected event; returns the function that removes it. */
export function registerUnsavedWorkGuard(guard: UnsavedWorkGuard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

/** Asks all guards; resolves to false as soon as one declines. */
export async function confirmDiscardUnsavedWork(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}
