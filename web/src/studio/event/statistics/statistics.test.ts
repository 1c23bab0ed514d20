import { expect, it } from 'vitest';
import { type Day, valuesOf } from './statistics';

const day = (date: string, visits: number) => ({ date, visits }) as Day;

it('has a value for each of the 30 days up to the last, across the end of a month', () => {
  const values = valuesOf([day('2026-10-30', 2), day('2026-11-02', 5)], ({ visits }) => visits);
  expect(values).toHaveLength(30);
  expect(values.slice(-4)).toEqual([
    { date: '2026-10-30', value: 2 },
    { date: '2026-10-31', value: 0 },
    { date: '2026-11-01', value: 0 },
    { date: '2026-11-02', value: 5 },
  ]);
  expect(valuesOf([], ({ visits }) => visits)).toEqual([]);
});
