import { type Match, matchId, type SearchResult, uniteAlbums } from '../search/matches';

/** Whose photos are shown when two people search together. */
export type Group = 'both' | 'either' | 'me' | 'friend';

export const groups: readonly Group[] = ['both', 'either', 'me', 'friend'];

/** The photos of a group: those of the guest in their order, then those of the friend alone in theirs. */
function matchesOf(group: Group, mine: readonly Match[], friends: readonly Match[]): Match[] {
  const isIn = (list: readonly Match[]) => {
    const ids = new Set(list.map(matchId));
    return (match: Match) => ids.has(matchId(match));
  };
  switch (group) {
    case 'both':
      return mine.filter(isIn(friends));
    case 'either': {
      const isMine = isIn(mine);
      return [...mine, ...friends.filter((match) => !isMine(match))];
    }
    case 'me':
      return [...mine];
    case 'friend':
      return [...friends];
  }
}

/** The result that has exactly the photos of the group, and tokens that cover them. */
export function resultOf(group: Group, mine: SearchResult, friends: SearchResult): SearchResult {
  const matches = matchesOf(group, mine.matches, friends.matches);
  const albums = uniteAlbums(mine.albums, friends.albums);
  switch (group) {
    case 'both':
    case 'me':
      return { ...mine, matches };
    case 'either':
      return {
        ...mine,
        matches,
        albums,
        downloadTokens: [...mine.downloadTokens, ...friends.downloadTokens],
        receivedAt: Math.min(mine.receivedAt, friends.receivedAt),
      };
    case 'friend': {
      const { downloadTokens, receivedAt } = friends;
      // It is the guest's selfie that is called blurred, and none of their photos is missing here.
      return { ...mine, matches, albums, downloadTokens, receivedAt, blurred: false };
    }
  }
}
