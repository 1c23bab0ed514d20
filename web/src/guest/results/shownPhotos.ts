import { createContext, type ReactNode, useContext } from 'react';
import type { Stacked } from '../../platform/stacks';
import type { Downloads } from '../downloads/useDownloads';
import type { Album, Match } from '../search/matches';

/** The photos of a list, and what is known of all of them: the grid and the viewer show the same. */
export interface ShownPhotos {
  /** The name of the list. */
  label: string;
  matches: readonly Match[];
  /** Those that the photos are in. */
  albums: readonly Album[];
  /** How many there are with those that are not loaded yet. */
  total: number;
  downloads: Downloads;
  /** The photos on which the guest has put a heart. */
  heartedIds: ReadonlySet<string>;
  /** The photos that are chosen to be saved together; null while none can be chosen. */
  chosenIds: ReadonlySet<string> | null;
  /** How the list shows a photo that is like others of it. */
  stackOf: (match: Match) => Stacked | undefined;
  /** Shows the photos of a stack, or only the best of them. */
  onStack: (stack: string) => void;
  /** What a tile has in its corner, in the place of what saves the photo; `tabIndex` is that of the tile. */
  cornerOf?: (match: Match, position: number, tabIndex: number | undefined) => ReactNode;
}

export const ShownPhotosContext = createContext<ShownPhotos | null>(null);

export function useShownPhotos(): ShownPhotos {
  const shown = useContext(ShownPhotosContext);
  if (shown === null) throw new Error('useShownPhotos must be used within a ShownPhotosContext');
  return shown;
}
