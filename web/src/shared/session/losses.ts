/** Asks the person whether to give up what would be lost; true lets it go. */
export type LossGuard = () => Promise<boolean>;

const guards = new Set<LossGuard>();

/** Has a guard asked before a logout or another event takes work away, until the function given back is called. */
export function guardAgainstLoss(guard: LossGuard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

/** Whether nothing is lost now, or the person lets it go. */
export async function mayLose(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}
