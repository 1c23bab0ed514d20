import { type Match, matchId } from '../search/matches';

/** What has been handled of the photos that are shared batch by batch. */
export interface ShareRound {
  /** Of photos that were chosen one by one. */
  chosen: boolean;
  /** The ids of those that were shared, or passed over as failed. */
  handled: ReadonlySet<string>;
}

export const newRound = (): ShareRound => ({ chosen: false, handled: new Set() });

/** What is still to be shared, and what has been before. */
export interface ShareRest {
  rest: readonly Match[];
  handled: readonly Match[];
}

/** The photos that a round has not handled. Photos come and go meanwhile, so that their places say nothing. */
export function restOf(round: ShareRound, matches: readonly Match[], chosen: boolean): ShareRest {
  const isHandled = (match: Match) => round.chosen === chosen && round.handled.has(matchId(match));
  const rest = matches.filter((match) => !isHandled(match));
  // With none left, the next round begins.
  return rest.length === 0 ? { rest: matches, handled: [] } : { rest, handled: matches.filter(isHandled) };
}

/** `round`, or a new one if it has handled all of `matches`. */
export const orNewRound = (round: ShareRound, matches: readonly Match[]): ShareRound =>
  matches.every((match) => round.handled.has(matchId(match))) ? newRound() : round;
