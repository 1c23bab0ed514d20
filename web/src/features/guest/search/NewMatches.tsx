import type { Indexing } from './matches';
import type { FaceSearch } from './useFaceSearch';
import { useNewMatches } from './useNewMatches';

/** Searches for photos that arrive. A component, so that it can be loaded after the first paint. */
export function NewMatches({
  slug,
  search,
  indexing,
}: {
  slug: string;
  search: FaceSearch;
  indexing: Indexing;
}) {
  useNewMatches(slug, search, indexing);
  return null;
}
