import { useEffect, useReducer, useRef, useState } from 'react';
import { ApiError } from '../../platform/api/errors';
import { useSnackbar } from '../../ui/useSnackbar';
import { searchFaces } from './searchFaces';
import { type Indexing, matchId, type SearchResult } from './matches';
import { newPhotosText } from './newPhotosText';
import type { CompletedSearch } from './search';
import type { FaceSearch } from './useFaceSearch';

/** Milliseconds between two background searches: a whole venue may share one IP address and its rate limit. */
export const backgroundSearchInterval = 30_000;

/** Milliseconds within which the guests of a venue search once the last photo is indexed. */
const lastSearchSpread = 3000;

/** Runs a search once more, whatever it has found. */
export type OnceMore = (
  search: Pick<CompletedSearch, 'query'> & { result: SearchResult | null },
  signal: AbortSignal,
) => Promise<SearchResult>;

const isSame = (one: Indexing, other: Indexing): boolean =>
  one.indexed === other.indexed && one.waiting === other.waiting && one.total === other.total;

/**
 * How many photos were searched for a result, less those that were deleted since: they would hide as many that arrive. What was
 * polled before a search says nothing of those.
 */
function useSearched(result: SearchResult | null, indexing: Indexing): number {
  const of = result?.indexing ?? null;
  const [known, setKnown] = useState({ of, polled: null as Indexing | null, searched: of?.indexed ?? 0 });
  let next = known;
  // Without a result it stays, as the one before may be shown again.
  if (of !== null && of !== known.of) next = { of, polled: indexing, searched: of.indexed };
  else if (indexing.indexed < known.searched && (known.polled === null || !isSame(indexing, known.polled)))
    next = { ...known, searched: indexing.indexed };
  if (next !== known) setKnown(next);
  return next.searched;
}

/**
 * Searches again in the background while photos are being indexed, with the same selfies.
 * `indexing` is the progress of the event, which the page polls.
 */
export function useNewMatches(
  slug: string,
  search: FaceSearch,
  indexing: Indexing,
  textOf: (fresh: number) => string = newPhotosText,
  searchOnceMore: OnceMore = ({ query }, signal) => searchFaces(slug, query, signal),
): void {
  const { state, mergeResult } = search;
  const again = useRef(searchOnceMore);
  const show = useSnackbar();
  const nextAt = useRef(0);
  const [failures, countFailure] = useReducer((count: number) => count + 1, 0);
  const current =
    state.phase === 'results' || (state.phase === 'failed' && state.failure.code === 'no_matches')
      ? state
      : null;
  const searchable = current !== null && (current.query.selfies.length > 0 || current.query.kept !== null);
  const searched = useSearched(current?.result ?? null, indexing);
  const outdated = searchable && current.result !== null && searched < indexing.indexed;
  const complete = indexing.waiting === 0;

  useEffect(() => {
    if (!outdated) return undefined;
    const controller = new AbortController();
    const { query, result } = current;
    const searchInBackground = async () => {
      nextAt.current = Date.now() + backgroundSearchInterval;
      try {
        const later = await again.current({ query, result }, controller.signal);
        if (controller.signal.aborted) return;
        const known = new Set([
          ...(result?.matches.map(matchId) ?? []),
          ...query.rejected.map(({ photo }) => photo),
        ]);
        const fresh = later.matches.filter((match) => !known.has(matchId(match))).length;
        mergeResult(query, later);
        if (fresh > 0) show({ tone: 'success', text: textOf(fresh) });
      } catch (error) {
        if (controller.signal.aborted) return;
        // The guest did not start this search, so that its error is not shown; the next one runs automatically.
        if (error instanceof ApiError && error.status === 429) nextAt.current += 4 * backgroundSearchInterval;
        countFailure();
      }
    };
    const now = Date.now();
    const early = complete ? Math.random() * lastSearchSpread : backgroundSearchInterval;
    // After a failure the interval counts in any case.
    const next = complete && failures === 0 ? 0 : nextAt.current;
    const wait = Math.max(0, next - now, (result?.receivedAt ?? 0) + early - now);
    const timer = setTimeout(() => void searchInBackground(), wait);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [outdated, complete, failures, current, slug, mergeResult, show, textOf]);
}
