import { useEffect, useState } from 'react';
import { storedToken } from '../../platform/storage/storage';

/**
 * Lets the photographer of an event into its page without asking for the PIN, where signed in on this device. `id` is that of
 * an event that asks, null for none. Whether that is still being found out.
 */
export function useOwnAccess(slug: string, id: string | null): boolean {
  const [possible, setPossible] = useState(() => storedToken.read() !== null);
  const asking = possible && id !== null;
  useEffect(() => {
    if (!asking) return undefined;
    const controller = new AbortController();
    const ask = async () => {
      try {
        const { enterOwn } = await import('./enter');
        await enterOwn(slug, id, controller.signal);
      } catch {
        // Somebody else's event: the PIN is asked for.
      }
      if (!controller.signal.aborted) setPossible(false);
    };
    void ask();
    return () => controller.abort();
  }, [asking, slug, id]);
  return asking;
}
