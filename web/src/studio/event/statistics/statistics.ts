import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { Statistics } from '../../../platform/api/types';

export type Day = Statistics['days'][number];

/** The days that the charts show. */
const chartDays = 30;

/** The same as a CSV file. */
export const fetchStatisticsFile = (eventId: string): Promise<Blob> =>
  unwrapResponse(
    api.GET('/api/events/{event}/statistics.csv', {
      params: { path: { event: eventId } },
      parseAs: 'blob',
    }) as Promise<{ data?: Blob; response: Response }>,
    t`Failed to download the statistics`,
  );

const millisecondsPerDay = 86_400_000;

/** A value for each of the days that end with the last one on which something happened; 0 where there is none. */
export function valuesOf(
  days: readonly Day[],
  valueOf: (day: Day) => number,
): { date: string; value: number }[] {
  const last = days.at(-1);
  if (last === undefined) return [];
  const byDate = new Map(days.map((day) => [day.date, valueOf(day)]));
  const end = Date.parse(`${last.date}T00:00:00Z`);
  return Array.from({ length: chartDays }, (_, index) => {
    const date = new Date(end - (chartDays - 1 - index) * millisecondsPerDay).toISOString().slice(0, 10);
    return { date, value: byDate.get(date) ?? 0 };
  });
}

/** Whether guests did anything; uploads are the photographer's. */
export const isUnvisited = ({ totals }: Statistics): boolean =>
  totals.visits + totals.searches + totals.downloads + totals.browsed + totals.hearts === 0;

/** Whether guests looked at all photos of the event, which few events let them. */
export const isBrowsed = (days: readonly Day[]): boolean => days.some(({ browsed }) => browsed > 0);
