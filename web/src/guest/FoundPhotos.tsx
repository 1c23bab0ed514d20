import { t } from '@lingui/core/macro';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { AlbumSwitch } from './results/AlbumSwitch';
import { albumsIn, inAlbum } from './results/albums';
import { FriendViews } from './friends/FriendViews';
import { type Group, resultOf } from './results/groups';
import { GroupSwitch } from './results/GroupSwitch';
import { ResultsView } from './results/ResultsView';
import type { Action } from './results/ActionSheet';
import { useFriend } from './friends/useFriend';
import { useNotMe } from './results/useNotMe';
import { savingMethod } from './downloads/platform';
import { useDownloads } from './downloads/useDownloads';
import { type Match, matchId, type SearchResult } from './search/matches';
import type { CompletedSearch } from './search/search';
import type { FaceSearch } from './search/useFaceSearch';
import type { KeptSearch } from './strangers/softened';
import { useFocusHeadingOnChange } from './useFocusHeadingOnChange';
import { useHistoryLayer } from './useHistoryLayer';

// eslint-disable-next-line no-restricted-syntax -- one chunk has both: with one of its own, what they share with the first load would be split from that, and compress worse
export { AllPhotos } from './browsing/AllPhotos';
// eslint-disable-next-line no-restricted-syntax -- the same, for the page of clients
export { MatchGrid } from './results/MatchGrid';
// eslint-disable-next-line no-restricted-syntax -- the same
export { ShownPhotosContext } from './results/shownPhotos';

const notMeText = () => t`That's not me`;
const notMyFriendText = () => t`That's not my friend`;
const noneTogetherText = () => t`No photo has both of you yet.`;
const noneLeftText = () => t`No photo is left here.`;

/** Two searches that are repeated and adjusted together. */
function togetherWith(mine: FaceSearch, friends: FaceSearch, group: Group): FaceSearch {
  return {
    ...mine,
    setStrictness: (strictness) => {
      mine.repeatQuietly({ strictness });
      friends.setStrictness(strictness);
    },
    searchAgain: () => {
      mine.repeatQuietly({});
      friends.searchAgain();
    },
    cancel: () => {
      mine.cancel();
      friends.cancel();
    },
    renewDownloadTokens: async (signal) => {
      const searches = { both: [mine], me: [mine], friend: [friends], either: [mine, friends] }[group];
      const renewed = await Promise.all(searches.map((search) => search.renewDownloadTokens(signal)));
      if (renewed.includes(null)) return null;
      return {
        tokens: renewed.flatMap((each) => each?.tokens ?? []),
        photoIds: renewed.flatMap((each) => each?.photoIds ?? []),
      };
    },
  };
}

const hasMatch = ({ result }: CompletedSearch, match: Match) =>
  result.matches.some((each) => matchId(each) === matchId(match));

/** What says whose faces are kept where strangers are softened; nothing for results that were opened without their search. */
const keptSearchOf = ({ query, result }: CompletedSearch): KeptSearch[] =>
  result.searchToken === null
    ? []
    : [{ token: result.searchToken, not_me: query.rejected.flatMap(({ face }) => face ?? []) }];

/**
 * The results of a search, alone or together with those of a friend. They stay mounted while the guest takes another
 * selfie, so that running downloads go on.
 */
export function FoundPhotos({
  found: mine,
  shown,
  left,
  search,
  ...props
}: Omit<
  ComponentProps<typeof ResultsView>,
  'mine' | 'downloads' | 'actionsOf' | 'keptSearches' | 'noneText' | 'groupSwitch' | 'onAddFriend'
> & {
  shown: boolean;
  /** The guest has left the results for the start. */
  left: boolean;
}) {
  const downloads = useDownloads(savingMethod(props.inApp !== null), props.event);
  // What was fetched, and how many were shared, is of the photos of one search.
  const { selfies, strictness } = mine.query;
  const { restartShare } = downloads;
  const restart = useRef(restartShare);
  useEffect(() => {
    restart.current = restartShare;
  });
  useEffect(() => restart.current(), [selfies, strictness]);
  const takeOut = useNotMe();
  const friend = useFriend(props.event.slug, props.indexing, mine.query, left, shown);
  const [album, setAlbum] = useState<string | null>(null);
  const adding = shown && friend.adding;
  useHistoryLayer(adding, () => friend.close());
  useFocusHeadingOnChange(adding ? friend.search.state.phase : 'results');
  if (!shown) return null;
  if (adding) return <FriendViews friend={friend} me={mine} indexing={props.indexing} />;

  const { found: friends, group } = friend;
  const actionsOf = (match: Match): Action[] => {
    const notMe = { label: notMeText(), run: () => takeOut(search, mine.result, match) };
    if (friends === null) return [notMe];
    const notMyFriend = {
      label: notMyFriendText(),
      run: () => takeOut(friend.search, friends.result, match),
    };
    return [
      ...(group !== 'friend' && hasMatch(mine, match) ? [notMe] : []),
      ...(group !== 'me' && hasMatch(friends, match) ? [notMyFriend] : []),
    ];
  };
  const keptSearches = [mine, ...(friends === null ? [] : [friends])].flatMap(keptSearchOf);
  const common = { ...props, mine, downloads, actionsOf, keptSearches };
  const albumsOf = (result: SearchResult) => (
    <AlbumSwitch
      albums={albumsIn(result)}
      value={album}
      onChange={(next) => {
        downloads.restartShare();
        setAlbum(next);
      }}
    />
  );
  if (friends === null) {
    return (
      <ResultsView
        {...common}
        found={{ ...mine, result: inAlbum(mine.result, album) }}
        groupSwitch={albumsOf(mine.result)}
        search={search}
        noneText={noneLeftText()}
        onAddFriend={friend.add}
      />
    );
  }
  const count = (of: Group) => resultOf(of, mine.result, friends.result).matches.length;
  const { state } = friend.search;
  const ours = resultOf(group, mine.result, friends.result);
  return (
    <ResultsView
      {...common}
      found={{ query: mine.query, result: inAlbum(ours, album) }}
      search={togetherWith(search, friend.search, group)}
      running={props.running ?? (state.phase === 'searching' ? state : null)}
      group={group}
      noneText={group === 'both' ? noneTogetherText() : noneLeftText()}
      groupSwitch={
        <>
          <GroupSwitch
            value={group}
            counts={{
              both: count('both'),
              either: count('either'),
              me: count('me'),
              friend: count('friend'),
            }}
            preview={friends.query.selfies[0]?.preview ?? null}
            face={friends.result.faces[friends.query.face ?? 0] ?? null}
            onChange={(next) => {
              downloads.restartShare();
              friend.setGroup(next);
            }}
            onRemove={() => {
              downloads.restartShare();
              friend.remove();
            }}
          />
          {albumsOf(ours)}
        </>
      }
    />
  );
}
