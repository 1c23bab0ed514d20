import { type ComponentType, useState } from 'react';

/**
 * A component whose code is fetched when it is first wanted.
 * `fetch` settles once it is here, and rejects when it did not come.
 */
export function useLate<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const [Late, setLate] = useState<ComponentType<Props> | null>(null);
  const fetch = async () => {
    const { default: component } = await load();
    setLate(() => component);
  };
  return { Late, fetch };
}
