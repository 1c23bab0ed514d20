import { plural } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { storedGroup } from '../../platform/storage/resultsStorage';
import type { Indexing, SearchResult } from '../search/matches';
import { type CompletedSearch, type SearchState, shownSearchOf } from '../search/search';
import { useFaceSearch } from '../search/useFaceSearch';
import { useNewMatches } from '../search/useNewMatches';
import { type Group, groups } from '../results/groups';

const freshText = (count: number): string =>
  plural(count, { one: '# new photo of your friend.', other: '# new photos of your friend.' });

/** The search of a friend that has no photos, and goes on with those that arrive. */
function emptySearchOf(state: SearchState, indexing: Indexing): CompletedSearch | null {
  if (state.phase !== 'failed' && state.phase !== 'searching') return null;
  const nothing: SearchResult = {
    matches: [],
    faces: [],
    blurred: false,
    albums: [],
    indexing,
    downloadTokens: [],
    searchToken: null,
    subscriptionToken: null,
    preview: null,
    receivedAt: Date.now(),
  };
  return { query: state.query, result: (state.phase === 'failed' ? state.result : null) ?? nothing };
}

/**
 * The search for a second person beside the guest's, saved under a key of its own. `left`: the guest has left their
 * results, to which `query` belongs; `resultsShown`: these are on the screen.
 */
export function useFriend(
  slug: string,
  indexing: Indexing,
  query: CompletedSearch['query'],
  left: boolean,
  resultsShown: boolean,
) {
  const search = useFaceSearch(slug, `friend:${slug}`, true);
  useNewMatches(slug, search, indexing, freshText);
  const [stored] = useState(() => storedGroup(slug));
  const [group, setGroup] = useState<Group>(() => groups.find((each) => each === stored.read()) ?? 'both');
  const [wanted, setWanted] = useState(false);
  const shown = shownSearchOf(search.state);
  // The views of the search take the place of the results until there are photos.
  const adding = wanted && shown === null;
  const found = shown ?? (adding ? null : emptySearchOf(search.state, indexing));

  // Whoever leaves their results forgets the friend with them, until they are shown again.
  const leftResults = useRef<{ query: CompletedSearch['query']; wanted: boolean } | null>(null);
  const { reset, showPrevious } = search;
  const leave = () => {
    leftResults.current = { query, wanted };
    reset();
    setWanted(false);
  };
  const comeBack = () => {
    // Those of the next search may be another person's.
    if (leftResults.current?.query === query) {
      showPrevious();
      setWanted(leftResults.current.wanted);
    }
    leftResults.current = null;
  };
  const latest = useRef({ leave, comeBack });
  useEffect(() => {
    latest.current = { leave, comeBack };
  });
  const exists = found !== null;
  useEffect(() => {
    if (left && exists) latest.current.leave();
    // Until the next search has results, `query` is still that of the last ones.
    else if (resultsShown) latest.current.comeBack();
  }, [left, exists, query, resultsShown]);

  const change = (next: Group) => {
    stored.write(next);
    setGroup(next);
  };
  return {
    search,
    found,
    adding,
    group,
    setGroup: change,
    add: () => {
      change('both');
      setWanted(true);
    },
    /** Leaves the views of the search; without `keep` the search ends. */
    close: (keep = false) => {
      setWanted(false);
      if (!keep) search.reset();
    },
    remove: () => {
      setWanted(false);
      stored.remove();
      search.reset();
    },
  };
}

export type Friend = ReturnType<typeof useFriend>;
