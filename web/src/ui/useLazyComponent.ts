import { type ComponentType, useState } from 'react';

/**
 * A component that is imported on demand. Unlike `React.lazy`, the caller handles a failed import: `load` rejects.
 * `Component` is null until `load` has resolved.
 */
export function useLazyComponent<Props>(importComponent: () => Promise<{ default: ComponentType<Props> }>) {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null);
  const load = async () => {
    const { default: component } = await importComponent();
    setComponent(() => component);
  };
  return { Component, load };
}
