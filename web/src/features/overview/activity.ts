/** What happened on one day, in UTC. */
export interface Day {
  /** YYYY-MM-DD. */
  date: string;
  uploads: number;
  searches: number;
}

const dayLength = 86_400_000;

/** The 30 days that end with the one of `now`, oldest first; the server names only those on which anything happened. */
export function lastDays(known: readonly Day[], now: number): Day[] {
  const byDate = new Map(known.map((day) => [day.date, day]));
  return Array.from({ length: 30 }, (_, index) => {
    const date = new Date(now - (29 - index) * dayLength).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, uploads: 0, searches: 0 };
  });
}

export const sumOf = (days: readonly Day[], what: 'uploads' | 'searches'): number =>
  days.reduce((sum, day) => sum + day[what], 0);

/** The day with the most of it; undefined when there was none at all. */
export function busiest(days: readonly Day[], what: 'uploads' | 'searches'): Day | undefined {
  const best = days.reduce<Day | undefined>(
    (most, day) => (most === undefined || day[what] > most[what] ? day : most),
    undefined,
  );
  return best !== undefined && best[what] > 0 ? best : undefined;
}
