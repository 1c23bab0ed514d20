/**
 * Resolves to true if there is no unsaved work, or if the user agrees to discard it. What is at the address `elsewhere`
 * could be opened in another tab instead; there is none of a logout.
 */
export type UnsavedWorkGuard = (elsewhere: string | null) => Promise<boolean>;

const guards = new Set<UnsavedWorkGuard>();

/** Registers a guard that is asked before a logout or a change of the selected event; returns the function that removes it. */
export function registerUnsavedWorkGuard(guard: UnsavedWorkGuard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

/** Asks all guards; resolves to false as soon as one declines. */
export async function confirmDiscardUnsavedWork(elsewhere: string | null = null): Promise<boolean> {
  for (const guard of guards) if (!(await guard(elsewhere))) return false;
  return true;
}
