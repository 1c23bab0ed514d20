import type { PublicEvent } from '../../platform/api/types';
import type { Match } from '../search/matches';
import { ownNames } from './fileNames';

/** What the photographer lets guests save, and whether under the names of the files. */
export type Offer = Pick<PublicEvent, 'downloads' | 'keeps_names'>;
export type Offered = Offer['downloads'];

/** Photos as they are saved: the web size is a JPEG whatever the original is, and its size is not known before. */
export function asOffered(
  matches: readonly Match[],
  { offered, keepsNames }: { offered: Offered; keepsNames: boolean },
): readonly Match[] {
  const isWeb = offered === 'web';
  const named = keepsNames ? ownNames(matches, isWeb) : matches;
  return isWeb ? named.map((match) => ({ ...match, filename: null, size_bytes: null })) : named;
}
