import { useEffect, useRef, useState } from 'react';
import type { Indexing } from './matches';
import { keptQuery, searchOnceMore } from './repeat';
import type { FaceSearch } from './useFaceSearch';
import { type OnceMore, useNewMatches } from './useNewMatches';

/**
 * Searches for photos that arrive, and once with what this device keeps. A component, so that it can be loaded after the first
 * paint.
 */
export function NewMatches({
  slug,
  search,
  indexing,
}: {
  slug: string;
  search: FaceSearch;
  indexing: Indexing;
}) {
  const once = (asked: Parameters<OnceMore>[0], signal: AbortSignal) => searchOnceMore(slug, asked, signal);
  useNewMatches(slug, search, indexing, undefined, once);
  const { state, find } = search;
  const [returns] = useState(() => state.phase === 'capture' && state.previous === null);
  const begun = useRef(false);
  useEffect(() => {
    const query = returns && !begun.current ? keptQuery(slug) : null;
    begun.current = true;
    if (query !== null) find(query);
  }, [returns, slug, find]);
  return null;
}
