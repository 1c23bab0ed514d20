/** The activity of one day, in UTC. */
export interface Day {
  /** YYYY-MM-DD. */
  date: string;
  uploads: number;
  searches: number;
}

const millisecondsPerDay = 86_400_000;

/** The 30 days up to `now`, oldest first; the response has only days with activity. */
export function lastDays(known: readonly Day[], now: number): Day[] {
  const byDate = new Map(known.map((day) => [day.date, day]));
  return Array.from({ length: 30 }, (_, index) => {
    const date = new Date(now - (29 - index) * millisecondsPerDay).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, uploads: 0, searches: 0 };
  });
}

export const totalOf = (days: readonly Day[], metric: 'uploads' | 'searches'): number =>
  days.reduce((sum, day) => sum + day[metric], 0);

/** The day with the highest value; undefined if all are zero. */
export function busiestDay(days: readonly Day[], metric: 'uploads' | 'searches'): Day | undefined {
  const best = days.reduce<Day | undefined>(
    (most, day) => (most === undefined || day[metric] > most[metric] ? day : most),
    undefined,
  );
  return best !== undefined && best[metric] > 0 ? best : undefined;
}
