/** Asks the person whether to give up what a logout would lose; true lets it go on. */
export type LogoutGuard = () => Promise<boolean>;

const guards = new Set<LogoutGuard>();

/** Has a guard asked before every logout, until the function given back is called. */
export function guardLogout(guard: LogoutGuard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

/** Whether nobody minds a logout now. */
export async function mayLogOut(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}
