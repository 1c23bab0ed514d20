import type { PublicEvent } from '../../../shared/api/types';
import type { Match } from '../search/matches';

/** What the photographer lets guests save. */
export type Offered = PublicEvent['downloads'];

/** Photos as they are saved: the web size is a JPEG whatever the original is, and its size is not known before. */
export const asOffered = (matches: readonly Match[], offered: Offered): readonly Match[] =>
  offered === 'web' ? matches.map((match) => ({ ...match, filename: null, size_bytes: null })) : matches;
