import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ProviderProps,
  useContext,
} from 'react';
import type { MatchGrid } from '../results/MatchGrid';
import type { ShownPhotos } from '../results/shownPhotos';

/** The grid of guests' results, and what tells it which photos it shows: they come with the code of those results. */
export interface Grid {
  MatchGrid: ComponentType<ComponentProps<typeof MatchGrid>>;
  ShownPhotosContext: ComponentType<ProviderProps<ShownPhotos | null>>;
}

export const GridContext = createContext<Grid | null>(null);

export function useGrid(): Grid {
  const grid = useContext(GridContext);
  if (grid === null) throw new Error('useGrid must be used within a GridContext');
  return grid;
}
